import { expect, it } from "vitest";
import { createSlots } from "../../src/admission/slots.ts";

it("one holder may use both renderers, and only one of the decoders", () => {
  const known = { isUnavailable: () => false };
  const slots = createSlots(
    { operations: 1, uploads: 1, connections: { calls: 1, background: 1 } },
    () => () => {},
    { calls: known, background: known },
    { provider: () => null },
  );
  expect([slots.renderers.room("one"), slots.decoders.room("one")]).toEqual([2, 1]);
});
