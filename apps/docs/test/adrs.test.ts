import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const folder = new URL("../../../docs/contribute/adr/", import.meta.url);
const index = await readFile(new URL("README.md", folder), "utf8");
const names = (await readdir(folder)).filter((name) => /^\d{4}-/.test(name)).sort();

it.each(names)("the index of decision records has %s with its title and its status", async (name) => {
  const record = await readFile(new URL(name, folder), "utf8");
  const [, number, title] = /^# (\d+)\. (.+)/.exec(record) ?? [];
  const row = index.split("\n").find((line) => line.startsWith(`| ${number} | [${title}](${name}) | `));
  const superseding = /^Status: superseded by (\[\d+\])/m.exec(record)?.[1];
  expect(row).toContain(superseding === undefined ? "| accepted" : `| superseded by ${superseding}`);
});
