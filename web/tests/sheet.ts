/** Puts all pictures of `pictures/` on contact sheets, to be looked at whole: `npm run sheet`. Pictures of the same kind (the
 * first word of their names) are on the same sheets. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { PNG } from "pngjs";

const FROM = "pictures";
const TO = `${FROM}/sheets`;
const COLUMNS = 5;
const ROWS = 4;
/** The room of one picture, and what is between two. */
const [WIDE, HIGH, GAP] = [480, 400, 10];
const PER_SHEET = COLUMNS * ROWS;

/** As large as its room lets it be, each pixel the mean of those that it stands for. */
function shrunk(picture: PNG): PNG {
  const by = Math.max(picture.width / WIDE, picture.height / HIGH, 1);
  const small = new PNG({ width: Math.floor(picture.width / by), height: Math.floor(picture.height / by) });
  for (let y = 0; y < small.height; y += 1) {
    for (let x = 0; x < small.width; x += 1) {
      const mean = meanOf(picture, x * by, y * by, by);
      small.data.set(mean, 4 * (y * small.width + x));
    }
  }
  return small;
}

function meanOf({ width, data }: PNG, left: number, top: number, size: number): number[] {
  const sum = [0, 0, 0];
  let count = 0;
  for (let y = Math.floor(top); y < top + size - 0.001; y += 1) {
    for (let x = Math.floor(left); x < left + size - 0.001; x += 1) {
      const at = 4 * (y * width + Math.min(x, width - 1));
      for (let n = 0; n < 3; n += 1) sum[n]! += data[at + n] ?? 0;
      count += 1;
    }
  }
  return [...sum.map((each) => each / count), 255];
}

function sheet(names: readonly string[]): PNG {
  const rows = Math.ceil(names.length / COLUMNS);
  const made = new PNG({ width: COLUMNS * (WIDE + GAP) + GAP, height: rows * (HIGH + GAP) + GAP });
  for (let n = 0; n < made.data.length; n += 4) made.data.set([60, 60, 60, 255], n);
  for (const [n, name] of names.entries()) {
    const small = shrunk(PNG.sync.read(readFileSync(`${FROM}/${name}`)));
    const [x, y] = [GAP + (n % COLUMNS) * (WIDE + GAP), GAP + Math.floor(n / COLUMNS) * (HIGH + GAP)];
    PNG.bitblt(small, made, 0, 0, small.width, small.height, x, y);
  }
  return made;
}

rmSync(TO, { recursive: true, force: true });
mkdirSync(TO, { recursive: true });
const pictures = readdirSync(FROM)
  .filter((name) => name.endsWith(".png"))
  .sort();
const kindOf = (name: string): string => name.replace(".png", "").split("-")[0]!;
for (const kind of new Set(pictures.map(kindOf))) {
  const names = pictures.filter((name) => kindOf(name) === kind);
  for (let n = 0; n * PER_SHEET < names.length; n += 1) {
    const shown = names.slice(n * PER_SHEET, (n + 1) * PER_SHEET);
    writeFileSync(`${TO}/${kind}-${n + 1}.png`, PNG.sync.write(sheet(shown)));
    process.stdout.write(`${TO}/${kind}-${n + 1}.png: ${shown.join(", ")}\n`);
  }
}
