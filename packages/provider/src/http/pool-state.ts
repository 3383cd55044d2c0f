import type { PoolState } from "@cardbridge/domain";
import type { Pool } from "undici";

/** The connections of a pool. Each has one request at a time, and a pending request waits for its connection to open. */
export function poolState({ stats: { connected, running, pending } }: Pool): PoolState {
  return { inUse: running, idle: connected - running, waiting: pending };
}
