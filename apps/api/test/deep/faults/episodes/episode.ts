import type { Cluster } from "../cluster/cluster.ts";
import type { Allowed } from "../invariants/facts.ts";

/** One fault, and clients who submit while it happens. */
export interface Episode {
  /** The number of the fault, where it has one. */
  number?: number;
  title: string;
  allowed?: Allowed;
  /** Episodes of one group may run one after the other on one cluster, which then recovers once. */
  group?: string;
  run(cluster: Cluster, load: Load): Promise<void>;
}

export interface Load {
  /** Whether a client who was not acknowledged tries again. */
  retries: boolean;
  /** The number of submissions, where an episode can have any number. */
  size: number;
}
