import type { PoolState } from "@cardbridge/domain";
import type { Pool } from "undici";

/** The connections of pools without pipelining. A pending call waits for a connection. */
export function poolState(pools: readonly Pool[]): PoolState {
  const state = { inUse: 0, idle: 0, waiting: 0 };
  for (const { stats } of pools) {
    state.inUse += stats.running;
    state.idle += stats.connected - stats.running;
    state.waiting += stats.pending;
  }
  return state;
}
