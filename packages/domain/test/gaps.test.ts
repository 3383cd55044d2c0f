import { expect, it } from "vitest";
import { gaps, gapsPage } from "../src/index.ts";

it("docs/gaps.md says what the register says; after a change write it anew: pnpm docs:gaps", async () => {
  await expect(gapsPage()).toMatchFileSnapshot("../../../docs/gaps.md");
});

it("numbers every gap once, in order", () => {
  expect(gaps.map(({ id }) => id)).toEqual(gaps.map((_, index) => `G${index + 1}`));
});
