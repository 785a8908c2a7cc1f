/** The user does not want things to move. */
export function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Moves something for as long as there is time. It says how much is left, so it also runs where nothing else may move:
 * there it goes by whole seconds. */
export function runsOut(element: HTMLElement, steps: Keyframe[], duration: number, delay = 0): () => void {
  const easing = still() ? `steps(${Math.max(Math.round(duration / 1000), 1)})` : "linear";
  const running = element.animate(steps, { duration, delay, easing, fill: "both" });
  return () => running.cancel();
}
