import type { WebhookDelivery, WebhookDeliveryDetails, WebhookOutcome } from "./delivery.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import type { CardUpdated, WebhookEventType, WebhookPayload } from "./events.ts";
import type { DeliveryDecision } from "./retry.ts";

/** A new endpoint with its secret. */
export interface NewWebhookEndpoint {
  endpointId: string;
  url: string;
  eventTypes: readonly WebhookEventType[];
  description: string | null;
  /** `whsec_…` */
  secret: string;
}

/** The changes of an endpoint. An undefined field stays unchanged. */
export interface WebhookEndpointChange {
  url?: string | undefined;
  eventTypes?: readonly WebhookEventType[] | undefined;
  description?: string | null | undefined;
  enabled?: boolean | undefined;
}

/** A page of deliveries, newest first. */
export interface DeliveryFilter {
  endpointId: string;
  status?: WebhookDelivery["status"] | undefined;
  page: number;
  pageSize: number;
}

/** The endpoints of a platform and their deliveries. Ids of other platforms do not exist for it. */
export interface WebhookEndpoints {
  /** @throws Failure WEBHOOK_ENDPOINT_LIMIT beyond `maxWebhookEndpoints`. */
  create(platformId: string, endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint>;
  /** All endpoints, oldest first. */
  list(platformId: string): Promise<WebhookEndpoint[]>;
  find(platformId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  /**
   * Changes an endpoint; null if there is none. Disabling it fails its pending deliveries. Enabling it resets
   * `failingSince`.
   */
  update(
    platformId: string,
    endpointId: string,
    change: WebhookEndpointChange,
  ): Promise<WebhookEndpoint | null>;
  /** Deletes an endpoint with its deliveries; false if there is none. */
  delete(platformId: string, endpointId: string): Promise<boolean>;
  /** Replaces the secret. The previous secret also signs for `overlapHours`. Null if there is no such endpoint. */
  rotateSecret(
    platformId: string,
    endpointId: string,
    secret: string,
    overlapHours: number,
  ): Promise<WebhookEndpoint | null>;
  /**
   * Writes a `webhook.test` event for this endpoint. Its delivery fails if the endpoint is disabled. Null if there is
   * no such endpoint.
   */
  test(platformId: string, endpointId: string): Promise<WebhookDelivery | null>;
  /** A page of deliveries and the total number; null if there is no such endpoint. */
  deliveries(
    platformId: string,
    filter: DeliveryFilter,
  ): Promise<{ items: WebhookDelivery[]; total: number } | null>;
  delivery(
    platformId: string,
    endpointId: string,
    deliveryId: string,
  ): Promise<WebhookDeliveryDetails | null>;
  /**
   * Makes a delivery due now and resets its attempts; null if there is none. A delivery that is leased, or whose
   * endpoint is disabled, stays unchanged.
   */
  redeliver(platformId: string, endpointId: string, deliveryId: string): Promise<WebhookDelivery | null>;
  /**
   * Makes the failed deliveries of events since a time due now, oldest first, up to a limit; none if the endpoint is
   * disabled. Null if there is no such endpoint. `more`: the limit was reached.
   */
  redeliverFailed(
    platformId: string,
    endpointId: string,
    since: Date,
  ): Promise<{ redelivered: number; more: boolean } | null>;
  /** The deliveries about one KYC record to all endpoints, oldest first, for operators. */
  ofRecord(platformId: string, kycRecordId: string): Promise<WebhookDelivery[]>;
}

/**
 * `prompt`: the endpoint's last attempt succeeded within `slowAttemptMs`. `slow`: any other endpoint. Each lane has its
 * own slots, so that failing endpoints do not delay the others.
 */
export type DeliveryLane = "prompt" | "slow";

/** A leased attempt by its ids. `load` loads it within its platform. */
export interface DueDelivery {
  platformId: string;
  deliveryId: string;
  endpointId: string;
  /** Identifies the lease. Each lease has a higher number. */
  lease: number;
  /** Starts at 1, and again at 1 after a redelivery. */
  attempt: number;
  lane: DeliveryLane;
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
   * Leases due deliveries by the database's clock, up to the limit of each lane. One endpoint has at most four leases
   * in the lane `prompt` and one in `slow`. Endpoints are served round robin, each with its oldest delivery first. Each
   * lease is a new attempt. A delivery waits only for an earlier delivery of the same record to the same endpoint that
   * is leased or was never attempted.
   */
  leaseDue(limits: Record<DeliveryLane, number>): Promise<DueDelivery[]>;
  /** Loads a leased attempt; null if it no longer owns the delivery, or the endpoint is disabled or deleted. */
  load(due: DueDelivery): Promise<LoadedDelivery | null>;
  /**
   * Stores an attempt and its decision, if the attempt still owns the delivery. A success resets the endpoint's
   * `failingSince`. `gone`, or a failure after five days of failures, disables the endpoint and fails its pending
   * deliveries.
   */
  record(due: DueDelivery, attempt: RecordedAttempt): Promise<{ disabled: boolean }>;
  /** Releases leases without an attempt, when a process stops. */
  release(due: readonly DueDelivery[]): Promise<void>;
  /**
   * Writes a `card.updated` event for the user's platform, once per id of a provider event; false if no platform has
   * this user.
   */
  cardUpdated(event: CardUpdated, providerEventId: string): Promise<boolean>;
  count(): Promise<DeliveryCount>;
  /**
   * Deletes events older than `days` and the deliveries of deleted endpoints, and fails pending deliveries of disabled
   * endpoints, up to `limit` of each. Returns the number of rows; 0 if no work is left.
   */
  prune(days: number, limit: number): Promise<number>;
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
