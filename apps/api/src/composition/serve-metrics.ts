import type { Log } from "../observability/log.ts";
import { ListenError, type Served, serve } from "../server/serve.ts";
import type { Container } from "./container.ts";

/** Serves the metrics. If the port is not available, the service logs a warning and runs without metrics. */
export async function serveMetrics(
  { metrics }: Pick<Container, "metrics">,
  address: { host: string; port: number },
  log: Pick<Log, "warn">,
): Promise<Served | undefined> {
  try {
    return await serve(metrics, address);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    log.warn(`no metrics: cannot listen on ${address.host}:${address.port}; set METRICS_PORT`);
    return undefined;
  }
}
