import { expect, it } from "vitest";
import { gaps, gapsPage } from "../../src/index.ts";

it("matches docs/gaps.md; pnpm docs:gaps updates the page", async () => {
  await expect(gapsPage()).toMatchFileSnapshot("../../../../docs/gaps.md");
});

it("numbers the gaps consecutively", () => {
  expect(gaps.map(({ id }) => id)).toEqual(gaps.map((_, index) => `G${index + 1}`));
});
