import type { Tracer } from "@cardbridge/domain";
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
import { version } from "../process/version.ts";
import { createSpanQueue } from "./span-queue.ts";
import { createTracer } from "./tracer.ts";

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
