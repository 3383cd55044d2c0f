import type { CardProvider } from "./ports.ts";

/** `open` refuses calls. After some seconds, `half-open` lets one trial call through. */
export const breakerStates = ["closed", "open", "half-open"] as const;
export type BreakerState = (typeof breakerStates)[number];

/** The current connections of a pool. */
export interface PoolState {
  inUse: number;
  idle: number;
  /** The number of calls that wait for a connection. */
  waiting: number;
}

/** The state of the provider's client in this process. */
export interface ProviderState {
  /** The circuit breaker of each group of endpoints, such as `cards`. */
  breakers: Readonly<Record<string, BreakerState>>;
  connections: PoolState;
}

/** A provider with its connections. */
export interface ConnectedProvider extends CardProvider {
  state(): ProviderState;
  /** Waits for the active calls, which end by their deadlines, then closes the connections. */
  close(): Promise<void>;
}
