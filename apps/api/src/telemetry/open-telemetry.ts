import { AsyncLocalStorage } from "node:async_hooks";
import { Failure, reasonOf, type Span, type SpanAttributes, type Tracer } from "@cardbridge/domain";
import { version } from "@cardbridge/node";
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
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Env } from "../config/env.ts";
import type { SamplerName } from "../config/tracing-formats.ts";
import { errorMapping } from "../http/errors/mapping.ts";
import { createSpanQueue } from "./span-queue.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

export interface Tracing {
  tracer: Tracer;
  /** The number of spans that were not exported. */
  dropped(): number;
  /** Exports the ended spans and closes the connection. */
  close(): Promise<void>;
}

/** The samplers of OTEL_TRACES_SAMPLER. `ratio` is the fraction of traces, from 0 to 1. */
const samplers: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/**
 * Starts OpenTelemetry's SDK. Only a process that traces loads this module.
 *
 * @param url receives traces by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces
 * @param onFailure receives the reason of the first failed export, and for the first after one that succeeded
 */
export function startOpenTelemetry(env: Env, url: string, onFailure: (reason: string) => void): Tracing {
  const attributes = env.OTEL_RESOURCE_ATTRIBUTES;
  const resource = resourceFromAttributes({
    "service.version": version,
    ...attributes,
    "service.name": env.OTEL_SERVICE_NAME ?? attributes["service.name"] ?? "cardbridge",
  });
  const exporter = new OTLPTraceExporter({
    url,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
  });
  const queue = createSpanQueue(exporter, onFailure);
  const provider = new TracerProvider({
    resource: defaultResource().merge(resource),
    sampler: samplers[env.OTEL_TRACES_SAMPLER](env.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [queue.processor],
  });
  return {
    tracer: createTracer(provider.getTracer("cardbridge")),
    dropped: queue.dropped,
    close: () => provider.shutdown(),
  };
}

/** Implements the port with OpenTelemetry. The current span follows the asynchronous calls of its work. */
function createTracer(tracer: OpenTelemetryTracer): Tracer {
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
