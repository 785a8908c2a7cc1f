/** How a cube is turned, so that one of its faces looks at whoever looks. */

/** Where each face is on the cube. */
export const FACES: readonly { readonly face: number; readonly turn: string }[] = [
  { face: 1, turn: "rotateY(0deg)" },
  { face: 6, turn: "rotateY(180deg)" },
  { face: 2, turn: "rotateX(90deg)" },
  { face: 5, turn: "rotateX(-90deg)" },
  { face: 3, turn: "rotateY(90deg)" },
  { face: 4, turn: "rotateY(-90deg)" },
];

/** The turns about x and y that bring a face to the front. */
const FRONT: Readonly<Record<number, readonly [x: number, y: number]>> = {
  1: [0, 0],
  2: [-90, 0],
  3: [0, -90],
  4: [0, 90],
  5: [90, 0],
  6: [0, 180],
};

/** A pose with a face to the front, after so many whole turns backwards, and turned on the felt by an angle. */
export function pose(face: number, turnsBefore = 0, angle = 0): string {
  const [x, y] = FRONT[face] ?? [0, 0];
  const back = turnsBefore * 360;
  return `rotateZ(${angle + back / 2}deg) rotateX(${x - back}deg) rotateY(${y + back}deg)`;
}
