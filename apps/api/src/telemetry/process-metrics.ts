import { breakerStates, type PoolState, type ProviderState } from "@cardbridge/domain";
import { version } from "@cardbridge/node";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Usage } from "../admission/fair-semaphore.ts";
import { type Resource, resources } from "../admission/slots.ts";
import { readOnce } from "./read-once.ts";

/** Whether each dependency of a process is ready. Undefined if another dependency prevents the check. */
export interface Dependencies {
  database: boolean;
  /** Whether the process has the keys of the database's personal data. */
  encryptionKeys: boolean | undefined;
  /** Whether the process can read its file store. */
  files: boolean;
}

export interface ProcessState {
  dependencies(): Promise<Dependencies>;
  provider(): ProviderState;
  databaseConnections(): PoolState;
  usage(resource: Resource): Usage;
  /** The numbers of active pauses that this process obeys, by their target. */
  paused(): Readonly<Record<string, number>>;
  /** The number of dropped log lines. */
  droppedLines(): number;
  /** The number of dropped spans; absent in a process that does not trace. */
  droppedSpans?: (() => number) | undefined;
}

/** Adds the state of this process, which each scrape reads. */
export function addProcessMetrics(registry: Registry, state: ProcessState): void {
  addResources(registry, state.usage);
  addPools(registry, { database: state.databaseConnections, provider: () => state.provider().connections });
  const registers = [registry];
  const { droppedLines, droppedSpans = () => 0 } = state;
  const dependencies = readOnce(state.dependencies);

  new Gauge({
    name: "cardbridge_build_info",
    help: "1, with the version of the service and of Node as labels.",
    labelNames: ["version", "node_version"],
    registers,
  }).set({ version, node_version: process.versions.node }, 1);
  new Gauge({
    name: "cardbridge_dependency_ready",
    help: "1 if the process can use a dependency, 0 if not, and NaN if that is not known.",
    labelNames: ["dependency"],
    registers,
    async collect() {
      const ready = await dependencies();
      this.set({ dependency: "database" }, Number(ready?.database));
      this.set({ dependency: "encryption-keys" }, Number(ready?.encryptionKeys));
      this.set({ dependency: "files" }, Number(ready?.files));
    },
  });
  new Gauge({
    name: "cardbridge_provider_breaker_state",
    help: "1 for the state of the circuit breaker of these endpoints, and 0 for the others. An open breaker refuses calls.",
    labelNames: ["endpoints", "state"],
    registers,
    collect() {
      for (const [endpoints, current] of Object.entries(state.provider().breakers)) {
        for (const each of breakerStates) this.set({ endpoints, state: each }, Number(each === current));
      }
    },
  });
  new Gauge({
    name: "cardbridge_paused",
    help: "The active pauses of operators that the process obeys: provider, 0 or 1, and the number of paused platforms.",
    labelNames: ["target"],
    registers,
    collect() {
      for (const [target, count] of Object.entries(state.paused())) this.set({ target }, count);
    },
  });
  new Counter({
    name: "cardbridge_log_lines_dropped_total",
    help: "Log lines that could not be written to standard error.",
    registers,
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
  new Counter({
    name: "cardbridge_trace_spans_dropped_total",
    help: "Ended spans that were not exported: the queue was full, or the OTLP endpoint did not accept them.",
    registers,
    collect() {
      this.reset();
      this.inc(droppedSpans());
    },
  });
}

/** Adds the slots of every scarce resource, those in use, and the calls that wait for one. */
function addResources(registry: Registry, usage: ProcessState["usage"]): void {
  function gauge(name: string, help: string, select: (usage: Usage) => number) {
    new Gauge({
      name,
      help,
      labelNames: ["resource"],
      registers: [registry],
      collect() {
        for (const resource of resources) this.set({ resource }, select(usage(resource)));
      },
    });
  }
  gauge(
    "cardbridge_resource_slots",
    "The slots of a scarce resource, which platforms share.",
    ({ capacity }) => capacity,
  );
  gauge(
    "cardbridge_resource_slots_in_use",
    "The slots in use, such as active uploads.",
    ({ inUse }) => inUse,
  );
  gauge(
    "cardbridge_resource_waiting",
    "The calls that wait for a slot of a resource.",
    ({ waiting }) => waiting,
  );
}

/** The connections of the pools. */
function addPools(registry: Registry, pools: Record<"database" | "provider", () => PoolState>): void {
  const registers = [registry];
  new Gauge({
    name: "cardbridge_pool_connections",
    help: "The open connections of a pool: in use, or idle.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, state] of Object.entries(pools)) {
        const { inUse, idle } = state();
        this.set({ pool, state: "in-use" }, inUse);
        this.set({ pool, state: "idle" }, idle);
      }
    },
  });
  new Gauge({
    name: "cardbridge_pool_waiting",
    help: "The calls that wait for a connection of a pool, after they got a slot of the resource.",
    labelNames: ["pool"],
    registers,
    collect() {
      for (const [pool, state] of Object.entries(pools)) this.set({ pool }, state().waiting);
    },
  });
}
