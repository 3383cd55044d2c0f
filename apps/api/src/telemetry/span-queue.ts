import { reasonOf } from "@cardbridge/domain";
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";

/** The maximum number of ended spans that wait for their export. */
const maxWaiting = 2_048;

interface SpanQueue {
  processor: SpanProcessor;
  /** The number of dropped spans: the queue was full, or the export failed. */
  dropped(): number;
}

/**
 * Exports spans in batches, in the background. Neither a full queue nor a failed export delays or fails anything: the
 * spans are dropped and counted.
 */
export function createSpanQueue(exporter: SpanExporter, onFailure: (reason: string) => void): SpanQueue {
  let waiting = 0;
  let dropped = 0;
  let failing = false;

  const counting: SpanExporter = {
    export(spans, done) {
      waiting -= spans.length;
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed) dropped += spans.length;
        if (failed && !failing) onFailure(exportReason(result.error));
        failing = failed;
        // The batch counts as done: its error is counted here, and its message can contain the endpoint's response.
        done({ code: 0 });
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({ exporter: counting, maxQueueSize: maxWaiting });

  return {
    dropped: () => dropped,
    processor: {
      onStart: (span, context) => batches.onStart(span, context),
      onEnd(span: ReadableSpan) {
        if (waiting >= maxWaiting) {
          dropped += 1;
          return;
        }
        waiting += 1;
        batches.onEnd(span);
      },
      forceFlush: () => batches.forceFlush(),
      shutdown: () => batches.shutdown(),
    },
  };
}

/** The HTTP status of the endpoint's response, which the exporter's error has as its code, or the reason of the network. */
function exportReason(error: unknown): string {
  const isStatus = error instanceof Error && "code" in error && typeof error.code === "number";
  return isStatus ? `status-${error.code}` : reasonOf(error);
}
