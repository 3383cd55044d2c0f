import { Failure, type Span, type SpanStart, type Tracer } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { pass } from "../../src/operation/pass.ts";
import { fakePorts } from "../support/fake-ports.ts";

describe("a pass", () => {
  it("returns the result of its work, and is counted", async () => {
    const { ports, observed } = fakePorts();
    expect(await pass(ports, "files.sweep", async () => 3)).toBe(3);
    expect(observed).toEqual([["operation_call", { operation: "files.sweep", outcome: "done" }]]);
  });

  it.each([
    [new Failure("USER_NOT_FOUND"), "USER_NOT_FOUND"],
    [new Error("away"), "INTERNAL_ERROR"],
  ])("that fails with %o is counted as %s, and throws it", async (error, outcome) => {
    const { ports, observed } = fakePorts();
    const failing = pass(ports, "cards.recordProviderUpdate", () => Promise.reject(error));
    await expect(failing).rejects.toBe(error);
    expect(observed).toEqual([["operation_call", { operation: "cards.recordProviderUpdate", outcome }]]);
  });

  it.each([
    [
      "is a span within a trace",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      ["kyc.askNow done"],
    ],
    ["begins no trace", undefined, []],
  ])("%s", async (_title, traceparent, expected) => {
    const spans: string[] = [];
    const tracer: Tracer = {
      async run({ name }: SpanStart, work: (span: Span) => Promise<never>) {
        return work({
          rename() {},
          set: (given) => void spans.push(`${name} ${given["cardbridge.outcome"]}`),
        });
      },
      isRecording: () => true,
      traceparent: () => traceparent,
    };
    await pass(fakePorts({ tracer }).ports, "kyc.askNow", async () => {});
    expect(spans).toEqual(expected);
  });
});
