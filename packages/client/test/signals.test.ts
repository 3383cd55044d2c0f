import { afterEach, describe, expect, it } from "vitest";
import { anySignal } from "../src/signals.ts";

const any = AbortSignal.any;
afterEach(() => {
  AbortSignal.any = any;
});

describe.each([true, false])("with AbortSignal.any: %s", (isThere) => {
  it("aborts once, with the reason of the first signal", () => {
    if (!isThere) Object.assign(AbortSignal, { any: undefined });
    const [first, second] = [new AbortController(), new AbortController()];
    const { signal } = anySignal([first.signal, second.signal]);
    expect(signal.aborted).toBe(false);
    second.abort("second");
    first.abort("first");
    expect(signal).toMatchObject({ aborted: true, reason: "second" });
  });

  it("is aborted if a signal is already aborted", () => {
    if (!isThere) Object.assign(AbortSignal, { any: undefined });
    const { signal } = anySignal([new AbortController().signal, AbortSignal.abort("before")]);
    expect(signal).toMatchObject({ aborted: true, reason: "before" });
  });
});

it("removes its listeners on release", () => {
  Object.assign(AbortSignal, { any: undefined });
  const controller = new AbortController();
  const { signal, release } = anySignal([controller.signal]);
  release();
  controller.abort();
  expect(signal.aborted).toBe(false);
});
