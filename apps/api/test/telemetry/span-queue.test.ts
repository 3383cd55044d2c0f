import type { ExportResult } from "@opentelemetry/core";
import { type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, it } from "vitest";
import { createSpanQueue } from "../../src/telemetry/span-queue.ts";

/** A queue before an exporter whose exports end when the test ends them. */
function queueBefore() {
  const exports: { spans: number; end(result: ExportResult): void }[] = [];
  const exporter: SpanExporter = {
    export: (spans, end) => void exports.push({ spans: spans.length, end }),
    shutdown: async () => {},
  };
  let failures = 0;
  const queue = createSpanQueue(exporter, () => {
    failures += 1;
  });
  const provider = new TracerProvider({ spanProcessors: [queue.processor] });
  const tracer = provider.getTracer("test");
  return {
    exports,
    dropped: queue.dropped,
    failures: () => failures,
    flush: () => queue.processor.forceFlush(),
    end(spans: number) {
      for (let ended = 0; ended < spans; ended += 1) tracer.startSpan("a").end();
    },
  };
}

const done = { code: 0 };
const failed = { code: 1, error: new Error("the endpoint is away") };

it("drops and counts spans over its limit during a long export", () => {
  const { exports, dropped, end } = queueBefore();
  end(3_000);
  expect(exports.map(({ spans }) => spans)).toEqual([512]);
  expect(dropped()).toBe(3_000 - 512 - 2_048);
});

it("counts the spans of a failed export, and reports the first failure of several", async () => {
  const { exports, dropped, failures, end, flush } = queueBefore();
  for (const result of [failed, failed, done, failed]) {
    end(2);
    const flushed = flush();
    exports.at(-1)?.end(result);
    await flushed;
  }
  expect(dropped()).toBe(6);
  expect(failures()).toBe(2);
});
