/** How a cube is turned, so that one of its faces is in front. */

/** Where each face is on the cube: the turn, about x or y, that brings the front there. */
const TURNS: Readonly<Record<number, readonly [x: number, y: number]>> = {
  1: [0, 0],
  2: [90, 0],
  3: [0, 90],
  4: [0, -90],
  5: [-90, 0],
  6: [0, 180],
};

/** From the middle of a cube towards one of its faces. */
export function towards(face: number): string {
  const [x, y] = TURNS[face] ?? [0, 0];
  return `rotateX(${x}deg) rotateY(${y}deg)`;
}

/** A pose with a face to the front, after whole turns backwards, and turned on the felt by an angle. */
export function pose(face: number, turnsBefore = 0, angle = 0): string {
  const [x, y] = TURNS[face] ?? [0, 0];
  const back = turnsBefore * 360;
  return `rotateZ(${angle + back / 2}deg) rotateX(${-x - back}deg) rotateY(${back - y}deg)`;
}
