import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const [, ...decisions] = read("docs/decisions.md").split(/^## /m);
const numbers = decisions.map((text) => text.split(" · ")[0]);

it("decisions are numbered consecutively, and each has a reason and a way to change it", () => {
  expect(numbers).toEqual(decisions.map((_, index) => `G${index + 1}`));
  for (const text of decisions) expect(text).toMatch(/\?\n\n[^-].+\n- Why: .+\n- Change it: /s);
});

it("every decision that code or a page mentions is on the page", () => {
  const members = ["apps", "packages"].flatMap((group) =>
    readdirSync(new URL(group, root)).flatMap((name) => [`${group}/${name}/src`, `${group}/${name}/test`]),
  );
  const files = ["docs", ...members].flatMap(filesIn).filter((path) => /\.(?:ts|md|sql)$/.test(path));
  const mentions = ["README.md", "CHANGELOG.md", ...files].flatMap((path) =>
    [...read(path).matchAll(/\bG\d+\b/g)].map(([number]) => ({ path, number })),
  );
  expect(mentions.length).toBeGreaterThan(50);
  expect(mentions.filter(({ number }) => !numbers.includes(number))).toEqual([]);
});

function filesIn(folder: string): string[] {
  if (!existsSync(new URL(folder, root))) return [];
  return readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map(
    (name) => `${folder}/${name}`,
  );
}
