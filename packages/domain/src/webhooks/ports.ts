import type { WebhookOutcome } from "./delivery.ts";
import type { WebhookPayload } from "./events.ts";
import type { DeliveryDecision } from "./retry.ts";

/** A leased attempt by its ids. `load` loads it within its platform. */
export interface DueDelivery {
  platformId: string;
  deliveryId: string;
  endpointId: string;
  /** Identifies the lease. Each lease has a higher number. */
  lease: number;
  /** Starts at 1, and again at 1 after a redelivery. */
  attempt: number;
}

/** The attempt slots of a worker. A running attempt takes one, also after the deletion of its endpoint. */
export interface AttemptSlots {
  /** The running attempts. */
  running: readonly Pick<DueDelivery, "platformId" | "endpointId">[];
  free: number;
  /** The slots that stay free for endpoints whose last attempt succeeded. */
  reserved: number;
  /** The maximum number of attempts of one endpoint. */
  perEndpoint: number;
  /** The maximum number of leases of one call. */
  perCall: number;
}

/** One attempt of a delivery. */
export interface LoadedDelivery {
  /** The event's id, the same at every attempt and endpoint. */
  webhookId: string;
  url: string;
  /** One secret, or two during a rotation; the newer first. */
  secrets: readonly string[];
  payload: WebhookPayload;
  /** The trace of the change, as a W3C traceparent; null if it was not traced. */
  traceparent?: string | null;
}

/** The number of pending deliveries of all platforms, and the age of the oldest due delivery in seconds. */
export interface DeliveryCount {
  pending: number;
  oldestSeconds: number;
  disabledEndpoints: number;
}

/**
 * The outbox of events. The transaction that changes a record also writes its event and a delivery for each subscribed
 * endpoint, so that events match the committed changes exactly.
 */
export interface WebhookDeliveries {
  /**
   * Leases due deliveries by the database's clock. A platform takes a slot while it has fewer slots than are free; the
   * platform with the fewest comes first, in random order among equals. An endpoint whose last attempt did not
   * succeed leaves the reserved slots free. Each lease is a new attempt. A delivery waits only for an earlier delivery
   * of the same record to the same endpoint that is leased, due or was never attempted.
   */
  leaseDue(slots: AttemptSlots): Promise<DueDelivery[]>;
  /** Those of these endpoints that are disabled or deleted. */
  findInactive(endpointIds: readonly string[]): Promise<string[]>;
  /** Loads a leased attempt; null if it no longer owns the delivery, or the endpoint is disabled or deleted. */
  load(due: DueDelivery): Promise<LoadedDelivery | null>;
  /**
   * Stores an attempt and its decision, if the attempt still owns the delivery. A success resets the endpoint's
   * `failingSince`. `gone`, or a failure after five days of failures, disables the endpoint and fails its pending
   * deliveries.
   */
  record(due: DueDelivery, attempt: RecordedAttempt): Promise<{ disabled: boolean }>;
  /** Releases leases without an attempt. Deliveries to a disabled endpoint fail, and others are due again. */
  release(due: readonly DueDelivery[]): Promise<void>;
}

export interface RecordedAttempt {
  outcome: WebhookOutcome;
  decision: DeliveryDecision;
  milliseconds: number;
}

/** Sends one signed attempt. Never throws. */
export interface WebhookSender {
  send(
    delivery: LoadedDelivery,
    signal?: AbortSignal,
  ): Promise<{ outcome: WebhookOutcome; milliseconds: number }>;
}
