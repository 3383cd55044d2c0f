import type { TestServer } from "@cardbridge/service/database/testing";
import { onTestFinished } from "vitest";
import { type Cluster, startCluster } from "../faults/cluster/cluster.ts";
import type { Service, ServiceOptions } from "../faults/cluster/service.ts";
import { checkInvariants } from "../faults/invariants/check.ts";
import { recover, stopAll } from "../faults/recover.ts";
import { type Load, type Seen, startLoad } from "./load.ts";
import type { Program } from "./programs.ts";

/** One drill: what happens to the machines of a service under load. */
export interface Drill {
  title: string;
  needs: readonly Program[];
  /** Whether the deep tier runs it too. */
  short?: boolean;
  /**
   * Returns the reason if it cannot run.
   *
   * @param size the number of calls that have to succeed in each phase of the load
   */
  run(size: number): Promise<Outcome | string>;
}

export interface Outcome {
  seen?: Seen;
  /** What else the drill found, for the table. */
  note?: string;
  /** The violated promises, as sentences that begin with the number of an invariant where there is one. */
  violations: string[];
}

/** A service under load, whose machines a drill breaks. */
export interface World {
  cluster: Cluster;
  /** The processes that the load calls. A drill may replace them. */
  apis: Service[];
  load: Load;
  /** Starts a process as the others are. */
  start(options?: ServiceOptions): Promise<Service>;
}

interface WorldOptions {
  /** Options of each process. */
  each?: ServiceOptions;
}

/** The load is to be limited by nothing but the machines, and a read waits for a slow one. */
const settings = {
  DATABASE_CONNECTIONS: "10",
  RATE_LIMIT_READS: "unlimited",
  RATE_LIMIT_WRITES: "unlimited",
  RATE_LIMIT_SUBMISSIONS: "unlimited",
  PROVIDER_READ_TIMEOUT_MS: "30000",
};

/**
 * Starts two API processes and a worker on a database, and a load. Runs the drill, lets the service recover, and checks
 * the invariants of the fault suite.
 *
 * @param act the drill. It returns violations and a note of its own.
 */
export async function drillUnderLoad(
  server: TestServer,
  act: (world: World) => Promise<Partial<Outcome> | undefined>,
  { each = {} }: WorldOptions = {},
): Promise<Outcome> {
  const cluster = await startCluster(server, Math.random, "real");
  const start = (options: ServiceOptions = {}) =>
    cluster.startService({ ...each, ...options, env: { ...settings, ...each.env, ...options.env } });
  onTestFinished(cluster.close);
  const apis = [await start(), await start()];
  await start({ run: "worker" });
  const load = startLoad(cluster, apis);
  const found = await act({ cluster, apis, load, start });
  const seen = await load.stop();
  await recover(cluster);
  return {
    ...found,
    seen,
    violations: [
      ...(found?.violations ?? []),
      ...seen.violations,
      ...(await checkInvariants(cluster)),
      ...(await stopAll(cluster)),
    ],
  };
}
