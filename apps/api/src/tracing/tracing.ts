import type { Tracer } from "@cardbridge/domain";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import type { SamplerName } from "../config/tracing-formats.ts";
import { samplerOf } from "./sampler.ts";
import { createSpanQueue } from "./span-queue.ts";
import { createTracer } from "./tracer.ts";

export interface TracingOptions {
  /** The URL that receives traces by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces. */
  url: string;
  headers: Record<string, string>;
  /** The time limit of an export, in milliseconds. */
  timeoutMillis: number;
  /** Describes this process: its service.name and others. */
  resource: Record<string, string>;
  sampler: SamplerName;
  /** The share of traces of a ratio sampler, from 0 to 1. */
  ratio: number;
  /** Called for the first failed export, and for the first after one that succeeded. */
  onFailure(): void;
}

export interface Tracing {
  tracer: Tracer;
  /** The number of spans that were not exported. */
  dropped(): number;
  /** Exports the ended spans and closes the connection. */
  close(): Promise<void>;
}

/** Traces with OpenTelemetry's SDK. Only a process that traces loads this module. */
export function createTracing(options: TracingOptions): Tracing {
  const { url, headers, timeoutMillis, resource, sampler, ratio, onFailure } = options;
  const queue = createSpanQueue(new OTLPTraceExporter({ url, headers, timeoutMillis }), onFailure);
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(resource)),
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [queue.processor],
  });
  return {
    tracer: createTracer(provider.getTracer("cardbridge")),
    dropped: queue.dropped,
    close: () => provider.shutdown(),
  };
}
