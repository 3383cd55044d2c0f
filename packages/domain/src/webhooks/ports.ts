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

/** The changes of an endpoint; what is undefined stays. */
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

/** The endpoints of a platform and their deliveries. Every id of another platform is unknown. */
export interface WebhookEndpoints {
  /** @throws Failure WEBHOOK_ENDPOINT_LIMIT beyond `maxWebhookEndpoints`. */
  create(platformId: string, endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint>;
  /** All endpoints, oldest first. */
  list(platformId: string): Promise<WebhookEndpoint[]>;
  find(platformId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  /**
   * Changes an endpoint; null if there is none. Disabling it fails its pending deliveries. Enabling it starts its
   * failing days anew.
   */
  update(
    platformId: string,
    endpointId: string,
    change: WebhookEndpointChange,
  ): Promise<WebhookEndpoint | null>;
  /** Deletes an endpoint with its deliveries; false if there is none. */
  delete(platformId: string, endpointId: string): Promise<boolean>;
  /** Replaces the secret; the previous one signs as well for these hours. Null if there is no such endpoint. */
  rotateSecret(
    platformId: string,
    endpointId: string,
    secret: string,
    overlapHours: number,
  ): Promise<WebhookEndpoint | null>;
  /** Writes a `webhook.test` event for this endpoint; its delivery has failed if it is disabled. Null if there is none. */
  test(platformId: string, endpointId: string): Promise<WebhookDelivery | null>;
  /** A page of deliveries and the number of all; null if there is no such endpoint. */
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
   * Makes a delivery due now, with all attempts anew; null if there is none. It stays as it is while it is leased, or
   * while the endpoint is disabled.
   */
  redeliver(platformId: string, endpointId: string, deliveryId: string): Promise<WebhookDelivery | null>;
  /**
   * Makes the failed deliveries of events since a time due now, oldest first, up to a bound; none while the endpoint is
   * disabled. Null if there is no such endpoint. `more` says that the bound was reached.
   */
  redeliverFailed(
    platformId: string,
    endpointId: string,
    since: Date,
  ): Promise<{ redelivered: number; more: boolean } | null>;
  /** The deliveries about one KYC record to all endpoints, oldest first, for operators. */
  ofRecord(platformId: string, kycRecordId: string): Promise<WebhookDelivery[]>;
}

/** Whether an endpoint keeps up: its last attempt succeeded, within `slowAttemptMs`. Each lane has slots of its own, so that dead endpoints delay no other. */
export type DeliveryLane = "prompt" | "slow";

/** A leased attempt by its ids. `load` loads it within its platform. */
export interface DueDelivery {
  platformId: string;
  deliveryId: string;
  endpointId: string;
  /** Identifies the lease; it rises with each. */
  lease: number;
  /** From 1; anew after a redelivery. */
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

/** The number of pending deliveries of all platforms, and the age of the oldest that is due, in seconds. */
export interface DeliveryCount {
  pending: number;
  oldestSeconds: number;
  disabledEndpoints: number;
}

/**
 * The outbox of events. The transaction that changes a record writes its event and a delivery for each endpoint
 * that subscribed, so that none is lost and none is invented.
 */
export interface WebhookDeliveries {
  /**
   * Leases up to this many due deliveries of each lane, by the database's clock; of one endpoint, at most four at a time
   * in the lane `prompt` and one in `slow`. Endpoints are served round robin, each oldest first. Each lease
   * is a new attempt. A delivery waits for an earlier one of its record and endpoint that is leased or was never
   * attempted, and for no other.
   */
  leaseDue(limits: Record<DeliveryLane, number>): Promise<DueDelivery[]>;
  /** Loads a leased attempt; null if it no longer owns the delivery, or the endpoint is disabled or deleted. */
  load(due: DueDelivery): Promise<LoadedDelivery | null>;
  /**
   * Stores an attempt and what follows it, if it still owns the delivery. A success ends the endpoint's failing days;
   * `gone`, or a failure after five of them, disables the endpoint and fails its pending deliveries.
   */
  record(due: DueDelivery, attempt: RecordedAttempt): Promise<{ disabled: boolean }>;
  /** Returns leases without an attempt, for a process that stops. */
  release(due: readonly DueDelivery[]): Promise<void>;
  /**
   * Writes a `card.updated` event of the user's platform, once for each id of the provider's event; false if no platform
   * has this user.
   */
  cardUpdated(event: CardUpdated, providerEventId: string): Promise<boolean>;
  count(): Promise<DeliveryCount>;
  /**
   * Deletes events that are older than `days` and the deliveries of deleted endpoints, and fails what disabled ones left
   * pending, up to `limit` of each; returns how many. Zero says that nothing is left.
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
