"""Pages and plots made from plain values: HTML and SVG as text that fetches nothing and runs nothing."""
