/** The user does not want things to move. */
export function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Moves an element for `duration` milliseconds, to show a time that runs out; returns a function that stops it. Because
 * it tells something, it also moves for a user who wants no motion, but in steps of about a second. */
export function runsOut(element: HTMLElement, steps: Keyframe[], duration: number, delay = 0): () => void {
  const easing = still() ? `steps(${Math.max(Math.round(duration / 1000), 1)})` : "linear";
  const running = element.animate(steps, { duration, delay, easing, fill: "both" });
  return () => running.cancel();
}
