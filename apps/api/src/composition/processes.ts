import { ConfigurationError } from "../config/configuration-error.ts";
import type { Env } from "../config/env.ts";
import type { Log } from "../observability/log.ts";
import { type ChildProcesses, keepProcesses } from "../process/child-processes.ts";

/** Where a process of the service listens. */
export interface Addresses {
  url: string;
  /** Undefined if the port of the metrics was taken. */
  metrics?: string | undefined;
}

/**
 * Runs the service in PROCESSES processes that listen on one port, each with a port of its own for metrics. The worker
 * runs in one of them.
 * @throws ConfigurationError; StartError if a process cannot start.
 */
export function startProcesses(
  env: Env,
  port: number,
  log: Pick<Log, "warn">,
): Promise<ChildProcesses<Addresses>> {
  const { PROCESSES: count, METRICS_PORT: metrics, RUN: run } = env;
  if (metrics + count > 65_536) {
    throw new ConfigurationError([`METRICS_PORT: ${count} processes need as many ports from ${metrics} on.`]);
  }
  const variables = Array.from({ length: count }, (_, index) => ({
    PORT: String(port),
    METRICS_PORT: String(metrics === 0 ? 0 : metrics + index),
    RUN: run === "all" && index > 0 ? "api" : run,
  }));
  return keepProcesses<Addresses>(variables, (end, restartInMs) =>
    log.warn(`a process ended unexpectedly (${end}); it starts again in ${restartInMs / 1_000} s`),
  );
}
