import type { Env } from "../config/env.ts";
import type { Log } from "./log.ts";
import type { Tracing } from "./open-telemetry.ts";

/** Traces if the environment names an OTLP endpoint. Without one, OpenTelemetry's SDK is not loaded. */
export async function openTracing(env: Env, log: Pick<Log, "warn">): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env;
  if (endpoint === undefined) return undefined;
  const url = `${endpoint.replace(/\/$/, "")}/v1/traces`;
  const { startOpenTelemetry } = await import("./open-telemetry.ts");
  return startOpenTelemetry(env, url, (reason) =>
    log.warn("traces_dropped", { problem: "the OTLP endpoint does not accept them", reason }),
  );
}
