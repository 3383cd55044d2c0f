import type { Env } from "../config/env.ts";
import type { Log } from "../log/log.ts";
import type { Tracing } from "./open-telemetry.ts";

/** Traces if the environment names an OTLP endpoint. Without one, OpenTelemetry's SDK is not loaded. */
export async function openTracing(env: Env, log: Pick<Log, "warn">): Promise<Tracing | undefined> {
  const url = tracesUrl(env);
  if (url === undefined || env.OTEL_SDK_DISABLED || env.OTEL_TRACES_EXPORTER === "none") return undefined;
  const { startOpenTelemetry } = await import("./open-telemetry.ts");
  return startOpenTelemetry(env, url, (reason) =>
    log.warn("traces_dropped", { problem: "the OTLP endpoint does not accept them", reason }),
  );
}

/** The endpoint of traces as it is, or the path of traces under the endpoint of all signals. */
function tracesUrl(env: Env): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_ENDPOINT: all } = env;
  return traces ?? (all && `${all.replace(/\/$/, "")}/v1/traces`);
}
