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
  const failures: string[] = [];
  const queue = createSpanQueue(exporter, (reason) => failures.push(reason));
  const provider = new TracerProvider({ spanProcessors: [queue.processor] });
  const tracer = provider.getTracer("test");
  return {
    exports,
    dropped: queue.dropped,
    failures,
    flush: () => queue.processor.forceFlush(),
    end(spans: number) {
      for (let ended = 0; ended < spans; ended += 1) tracer.startSpan("a").end();
    },
  };
}

const done = { code: 0 };
const failed = { code: 1, error: Object.assign(new Error("Bad Gateway"), { code: 502 }) };
const away = { code: 1, error: Object.assign(new Error("It is away."), { code: "ECONNREFUSED" }) };

it("drops and counts spans over its limit during a long export", () => {
  const { exports, dropped, end } = queueBefore();
  end(3_000);
  expect(exports.map(({ spans }) => spans)).toEqual([512]);
  expect(dropped()).toBe(3_000 - 512 - 2_048);
});

it("counts the spans of a failed export, and reports the first failure of several", async () => {
  const { exports, dropped, failures, end, flush } = queueBefore();
  for (const result of [failed, failed, done, away]) {
    end(2);
    const flushed = flush();
    exports.at(-1)?.end(result);
    await flushed;
  }
  expect(dropped()).toBe(6);
  expect(failures).toEqual(["status-502", "ECONNREFUSED"]);
});
