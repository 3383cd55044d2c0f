import { version } from "@cardbridge/node";
import { expect, it } from "vitest";
import { endingOf } from "../src/server/arguments.ts";

it("the console's program runs without arguments", () => {
  expect(endingOf([])).toBeUndefined();
});

it("prints its version and its help", () => {
  expect(endingOf(["--version"])).toEqual({ output: `${version}\n`, code: 0 });
  expect(endingOf(["--help"])).toMatchObject({ output: expect.stringContaining("Usage: main.js"), code: 0 });
});

it.each([["--port"], ["--port=3001"], ["serve"], ["--version", "now"], ["-x"]])("refuses %s", (...args) => {
  expect(endingOf(args)).toEqual({ output: expect.stringMatching(/^error: unknown argument/), code: 2 });
});
