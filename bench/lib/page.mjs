import { readFileSync, writeFileSync } from "node:fs";
import { at } from "./process.mjs";

const page = at("../docs/performance.md");
const chart = at("../docs/performance.svg");
const begin = (name) => `<!-- measured: ${name} -->`;
const end = "<!-- /measured -->";

/**
 * Puts what was measured into its place on the page; all that people wrote around it stays.
 *
 * @throws where the page has no such place
 */
export function writeMeasured(name, text) {
  const before = readFileSync(page, "utf8");
  const from = before.indexOf(begin(name));
  const to = before.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/performance.md has no place for ${name}.`);
  const measured = `${begin(name)}\n\n${text}\n\n`;
  writeFileSync(page, before.slice(0, from) + measured + before.slice(to));
}

/** Writes the chart that the page shows. */
export function writeChart(svg) {
  writeFileSync(chart, svg);
}
