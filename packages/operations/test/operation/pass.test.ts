import { Failure } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { pass } from "../../src/operation/pass.ts";
import { fakePorts } from "../support/fake-ports.ts";

describe("a pass", () => {
  it("returns the result of its work and is counted", async () => {
    const { ports, observed } = fakePorts();
    expect(await pass(ports, "files.sweep", async () => 3)).toBe(3);
    expect(observed).toEqual([["operation_call", { operation: "files.sweep", outcome: "done" }]]);
  });

  it.each([
    [new Failure("USER_NOT_FOUND"), "USER_NOT_FOUND"],
    [new Error("unavailable"), "INTERNAL_ERROR"],
  ])("that fails with %o is counted as %s and rethrows the error", async (error, outcome) => {
    const { ports, observed } = fakePorts();
    const failing = pass(ports, "cards.recordProviderUpdate", () => Promise.reject(error));
    await expect(failing).rejects.toBe(error);
    expect(observed).toEqual([["operation_call", { operation: "cards.recordProviderUpdate", outcome }]]);
  });
});
