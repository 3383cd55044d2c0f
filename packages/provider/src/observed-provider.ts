import type { CardProvider, ProviderState } from "@cardbridge/domain";

/** An adapter with the state of its client. `close` waits for the running calls, which end by their deadlines. */
export interface ObservedProvider extends CardProvider {
  state(): ProviderState;
  close(): Promise<void>;
}
