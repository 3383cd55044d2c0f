import { AsyncLocalStorage } from "node:async_hooks";
import { Failure, reasonOf, type Span, type SpanAttributes, type Tracer } from "@cardbridge/domain";
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Tracer as OpenTelemetryTracer,
  type Span as RecordedSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { errorMapping } from "../errors/mapping.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** Implements the port with OpenTelemetry. The current span follows the asynchronous calls of its work. */
export function createTracer(tracer: OpenTelemetryTracer): Tracer {
  const current = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();
  const active = () => current.getStore() ?? ROOT_CONTEXT;

  function parentOf(parent: string | null | undefined): Context {
    if (!parent) return active();
    // A tracestate is not continued: it can contain anything.
    return propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter);
  }

  return {
    async run({ name, kind, parent, attributes = {} }, work) {
      const context = parentOf(parent);
      const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes };
      const span = tracer.startSpan(name, options, context);
      try {
        return await current.run(trace.setSpan(context, span), () => work(portOf(span)));
      } catch (error) {
        setAttributes(span, attributesOf(error));
        throw error;
      } finally {
        span.end();
      }
    },

    isRecording: () => trace.getSpan(active())?.isRecording() ?? false,

    traceparent() {
      const carrier: { traceparent?: string } = {};
      propagator.inject(active(), carrier, defaultTextMapSetter);
      return carrier.traceparent;
    },
  };
}

function portOf(span: RecordedSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => setAttributes(span, attributes),
  };
}

function setAttributes(span: RecordedSpan, attributes: SpanAttributes): void {
  span.setAttributes(attributes);
  if (attributes["error.type"] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The code of an error, never its message. A failure that the caller can correct is not an error of the span. */
function attributesOf(error: unknown): SpanAttributes {
  if (!(error instanceof Failure)) return { "error.type": reasonOf(error) };
  const { code } = error;
  const failed = errorMapping[code].status >= 500;
  return { "cardbridge.outcome": code, ...(failed && { "error.type": code }) };
}
