/** How often a total was to be expected: its share, written `p/q`, of so many rolls. */
export function expected(share: string, rolls: number): number {
  const [p, q = 1] = share.split("/").map(Number) as [number, number?];
  return (rolls * p) / q;
}
