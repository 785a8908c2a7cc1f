/** What axe-core has against a page. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

type Axe = typeof import("axe-core");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** No rule that is on reads style sheets or other pages, so none are fetched for it. */
const OPTIONS: RunOptions = { resultTypes: ["violations"], iframes: false, preload: false };

/** A line for each element of the page, or of the pop-up that is open above it. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const run = (how: RunOptions) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    return axe.run([...document.querySelectorAll("dialog[open], [role=dialog]")].at(-1) ?? document, how);
  };
  const results: AxeResults = await page.evaluate(run, OPTIONS);
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 120)}`),
  );
}
