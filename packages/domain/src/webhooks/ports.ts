import type { AuditOrigin } from "../audit/entry.ts";
import type { PersonPlatforms } from "../persons/person.ts";
import type { WebhookDelivery, WebhookDeliveryDetails, WebhookOutcome } from "./delivery.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import type { CardUpdated, WebhookEventType, WebhookPayload } from "./events.ts";
import type { DeliveryDecision } from "./retry.ts";
import type {
  DeliverySearchPage,
  DeliverySearchQuery,
  EndpointHealth,
  RedeliveredMany,
  RedeliveryFilter,
} from "./search.ts";

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

/** Which deliveries to list, newest first. */
export interface DeliveryFilter {
  endpointId: string;
  status?: WebhookDelivery["status"] | undefined;
  /** Lists only deliveries that are older than this one. */
  before?: string | undefined;
  limit: number;
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
  /** Up to `limit` deliveries; null if there is no such endpoint. */
  deliveries(platformId: string, filter: DeliveryFilter): Promise<WebhookDelivery[] | null>;
  /** A delivery with its last `maxShownAttempts` attempts; null if there is none. */
  delivery(
    platformId: string,
    endpointId: string,
    deliveryId: string,
  ): Promise<WebhookDeliveryDetails | null>;
  /**
   * Makes a delivery due now and resets its attempts; null if there is none. A delivery that is leased, or whose
   * endpoint is disabled, stays unchanged.
   * @throws Failure WEBHOOK_REDELIVERY_LIMIT beyond `maxRedeliveriesPerHour`.
   */
  redeliver(platformId: string, endpointId: string, deliveryId: string): Promise<WebhookDelivery | null>;
  /**
   * Makes the failed deliveries of events since a time due now, oldest first, up to a limit; none if the endpoint is
   * disabled. Skips deliveries beyond `maxRedeliveriesPerHour`. Null if there is no such endpoint. `more`: the limit
   * was reached.
   */
  redeliverFailed(
    platformId: string,
    endpointId: string,
    since: Date,
  ): Promise<{ redelivered: number; more: boolean } | null>;
  /** The deliveries about one KYC record to all endpoints, oldest first, for operators. */
  ofRecord(platformId: string, kycRecordId: string): Promise<WebhookDelivery[]>;
}

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

/** Endpoints and deliveries over several platforms. */
export interface WebhookSearch {
  search(platforms: PersonPlatforms, query: DeliverySearchQuery): Promise<DeliverySearchPage>;
  health(platforms: PersonPlatforms): Promise<EndpointHealth>;
  /**
   * Counts the failed deliveries that match, and makes up to `limit` of them due now, oldest first. Audits each platform
   * in the transaction of its deliveries. `limit` 0 only counts.
   */
  redeliver(
    platforms: PersonPlatforms,
    filter: RedeliveryFilter,
    limit: number,
    by: AuditOrigin,
  ): Promise<RedeliveredMany>;
}
