import type { Env } from "../config/env.ts";
import type { Log } from "../observability/log.ts";
import { version } from "../process/version.ts";
import type { Tracing } from "../tracing/tracing.ts";

/** Traces if the environment names an OTLP endpoint. Without one, OpenTelemetry's SDK is not loaded. */
export async function openTracing(env: Env, log: Pick<Log, "warn">): Promise<Tracing | undefined> {
  const url = tracesUrl(env);
  if (url === undefined || env.OTEL_SDK_DISABLED || env.OTEL_TRACES_EXPORTER === "none") return undefined;
  const { createTracing } = await import("../tracing/tracing.ts");
  return createTracing({
    url,
    headers: { ...env.OTEL_EXPORTER_OTLP_HEADERS, ...env.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    timeoutMillis: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    resource: {
      "service.version": version,
      ...env.OTEL_RESOURCE_ATTRIBUTES,
      "service.name": env.OTEL_SERVICE_NAME ?? env.OTEL_RESOURCE_ATTRIBUTES["service.name"] ?? "cardbridge",
    },
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
    onFailure: () => log.warn("traces are dropped: the OTLP endpoint does not accept them"),
  });
}

/** The endpoint of traces as it is, or the path of traces under the endpoint of all signals. */
function tracesUrl(env: Env): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_ENDPOINT: all } = env;
  return traces ?? (all && `${all.replace(/\/$/, "")}/v1/traces`);
}
