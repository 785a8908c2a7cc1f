"""Pages and plots drawn from the values they are given: HTML and SVG as text, with nothing to fetch or to run."""
