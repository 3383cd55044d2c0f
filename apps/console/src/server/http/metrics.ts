import { version } from "@cardbridge/node";
import { Hono } from "hono";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** How sign-ins end. `expired`: the return from the issuer came too late, twice, or in another browser. */
const signInOutcomes = ["done", "refused", "expired", "issuer-unavailable", "sessions-unavailable"] as const;
/** How renewals of access tokens end. After a refusal, the person signs in again. */
const renewalOutcomes = ["done", "refused", "unavailable"] as const;
/** How calls of the service end. `refused`: the key or the person. `cancelled`: the browser did not wait. */
const serviceCallOutcomes = ["answered", "refused", "unavailable", "cancelled"] as const;

export type SignInOutcome = (typeof signInOutcomes)[number];
export type ServiceCallOutcome = (typeof serviceCallOutcomes)[number];

/** From a page out of memory to a manual attempt, which makes two calls to the card provider. In seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates every metric of the console. Label values come from fixed lists, so no metric has personal data or ids. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "cardbridge_console_build_info",
    help: "1, with the version of the console and of Node as labels.",
    labelNames: ["version", "node_version"],
    registers,
  }).set({ version, node_version: process.versions.node }, 1);

  const requests = new Counter({
    name: "cardbridge_console_http_requests_total",
    help: "Answered requests, by the pattern of their route and the status.",
    labelNames: ["route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "cardbridge_console_http_request_duration_seconds",
    help: "The time until the head of the response; a stream lasts longer.",
    labelNames: ["route"],
    buckets,
    registers,
  });
  const streams = new Gauge({
    name: "cardbridge_console_streams_open",
    help: "The open streams of events. Each page has at most one.",
    registers,
  });

  /** A counter by outcome, whose series all exist from the start. */
  function outcomes<Outcome extends string>(name: string, help: string, all: readonly Outcome[]) {
    const counter = new Counter({ name, help, labelNames: ["outcome"], registers });
    for (const outcome of all) counter.inc({ outcome }, 0);
    return (outcome: Outcome) => counter.inc({ outcome });
  }

  const app = new Hono();
  app.get("/metrics", async (c) =>
    c.text(await registry.metrics(), 200, { "content-type": registry.contentType }),
  );

  return {
    /** Serves `GET /metrics` in the Prometheus text format. */
    app,
    /** Counts an answered request. */
    request(route: string, status: number, seconds: number): void {
      requests.inc({ route, status });
      durations.observe({ route }, seconds);
    },
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
    signIn: outcomes("cardbridge_console_sign_ins_total", "Ended sign-ins.", signInOutcomes),
    renewal: outcomes("cardbridge_console_renewals_total", "Renewals of access tokens.", renewalOutcomes),
    serviceCall: outcomes(
      "cardbridge_console_service_calls_total",
      "Calls of the service's procedures; a batch is one call.",
      serviceCallOutcomes,
    ),

    /** Adds whether each dependency is ready. A scrape reads it. */
    addDependencies(read: () => Promise<Record<string, string | undefined>>): void {
      new Gauge({
        name: "cardbridge_console_dependency_ready",
        help: "1 if the process can use a dependency, 0 if not.",
        labelNames: ["dependency"],
        registers,
        async collect() {
          for (const [dependency, failure] of Object.entries(await read()))
            this.set({ dependency }, Number(failure === undefined));
        },
      });
    },

    /** Adds the number of sessions, of a store that knows it. A scrape reads it. */
    addSessions(count: () => number): void {
      new Gauge({
        name: "cardbridge_console_sessions",
        help: "The sessions in the memory of this process; absent with CONSOLE_REDIS_URL.",
        registers,
        collect() {
          this.set(count());
        },
      });
    },
  };
}
