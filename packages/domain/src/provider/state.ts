/** The groups of a provider's endpoints. Each has a circuit breaker of its own. An adapter has some of them. */
export const endpointGroups = ["cards", "kyc", "files", "login"] as const;
export type EndpointGroup = (typeof endpointGroups)[number];

/** `open` refuses calls, until one makes a trial after some seconds: `half-open`. */
export const breakerStates = ["closed", "open", "half-open"] as const;
export type BreakerState = (typeof breakerStates)[number];

/** The connections of a pool now. */
export interface PoolState {
  inUse: number;
  idle: number;
  /** The number of calls that wait for a connection. */
  waiting: number;
}

/** The state of the provider's client in this process. */
export interface ProviderState {
  breakers: Partial<Record<EndpointGroup, BreakerState>>;
  connections: PoolState;
}
