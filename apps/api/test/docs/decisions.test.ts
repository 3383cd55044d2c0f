import { expect, it } from "vitest";
import { filesWhere, readFile } from "./statements/project.ts";

const [, ...decisions] = readFile("docs/platforms/decisions.md").split(/^## /m);
const numbers = decisions.map((text) => text.split(" · ")[0]);

it("decisions are numbered consecutively, and each has a reason and a way to change it", () => {
  expect(numbers).toEqual(decisions.map((_, index) => `G${index + 1}`));
  for (const text of decisions) expect(text).toMatch(/\?\n\n[^-].+\n- Why: .+\n- Change it: /s);
});

it("every decision that code or another page mentions is on the page", () => {
  const isText = /^(?:apps|packages)\/[\w-]+\/(?:src|test)\/.*\.(?:ts|sql)$|^(?:docs|apps|packages)\/.*\.md$/;
  const texts = filesWhere((path) => isText.test(path));
  const mentions = texts.flatMap((path) =>
    [...readFile(path).matchAll(/\bG\d+\b/g)].map(([number]) => ({ path, number })),
  );
  expect(mentions.length).toBeGreaterThan(50);
  expect(mentions.filter(({ number }) => !numbers.includes(number))).toEqual([]);
});
