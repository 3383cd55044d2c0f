import { expect, it } from "vitest";
import { createSlots } from "../../src/admission/slots.ts";

it("one holder may use both renderers, one of the decoders, and one search", () => {
  const known = { isUnavailable: () => false };
  const slots = createSlots(
    { operations: 1, uploads: 1, connections: { calls: 1, background: 1 } },
    () => () => {},
    { calls: known, background: known },
  );
  const { renderers, decoders, searches } = slots;
  expect([renderers, decoders, searches].map(({ room }) => room("one"))).toEqual([2, 1, 1]);
});
