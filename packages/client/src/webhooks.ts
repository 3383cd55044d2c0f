import type { CallOptions } from "./options.ts";
import { jsonBody, type Send, segment } from "./request.ts";
import type {
  NewWebhookEndpoint,
  RedeliveredWebhooks,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryId,
  WebhookDeliveryListQuery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointId,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookRedelivery,
  WebhookSecretRotation,
} from "./types.ts";

/** The operations on webhook endpoints and their deliveries. */
export interface Webhooks {
  /** Creates an endpoint. Never retried: after a lost connection, list the endpoints before you repeat the call. */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
  /** Lists all endpoints, oldest first. */
  list(options?: CallOptions): Promise<WebhookEndpointList>;
  /** Reads an endpoint. */
  get(endpoint: WebhookEndpointId, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Changes only the fields that you send. */
  update(change: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Deletes an endpoint with its deliveries. */
  delete(endpoint: WebhookEndpointId, options?: CallOptions): Promise<WebhookEndpointId>;
  /** Replaces the secret. Never retried, because a second rotation would revoke the secret that you still use. */
  rotateSecret(rotation: WebhookSecretRotation, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
  /** Sends a test event. */
  test(endpoint: WebhookEndpointId, options?: CallOptions): Promise<WebhookDelivery>;
  /** Lists one page of an endpoint's deliveries, newest first. Send its `nextCursor` as `cursor` to get the next page. */
  deliveries(query: WebhookDeliveryListQuery, options?: CallOptions): Promise<WebhookDeliveryPage>;
  /** Reads a delivery with its last attempts. */
  delivery(delivery: WebhookDeliveryId, options?: CallOptions): Promise<WebhookDeliveryDetails>;
  /** Sends one delivery again. */
  redeliver(delivery: WebhookDeliveryId, options?: CallOptions): Promise<WebhookDelivery>;
  /** Sends again the failed deliveries of the events since a time. */
  redeliverFailed(redelivery: WebhookRedelivery, options?: CallOptions): Promise<RedeliveredWebhooks>;
}

const pathOf = ({ endpointId }: WebhookEndpointId) => `/webhooks/${segment("endpointId", endpointId)}`;
const deliveryPathOf = ({ deliveryId, ...endpoint }: WebhookDeliveryId) =>
  `${pathOf(endpoint)}/deliveries/${segment("deliveryId", deliveryId)}`;

export function createWebhooks(send: Send): Webhooks {
  return {
    create: async (endpoint, options) =>
      send({ method: "POST", path: "/webhooks", body: jsonBody(endpoint) }, { ...options, maxRetries: 0 }),
    list: async (options) => send({ method: "GET", path: "/webhooks" }, options),
    get: async (endpoint, options) => send({ method: "GET", path: pathOf(endpoint) }, options),
    update: async ({ endpointId, ...change }, options) =>
      send({ method: "PATCH", path: pathOf({ endpointId }), body: jsonBody(change) }, options),
    delete: async (endpoint, options) => send({ method: "DELETE", path: pathOf(endpoint) }, options),
    rotateSecret: async ({ endpointId, ...rotation }, options) =>
      send(
        { method: "POST", path: `${pathOf({ endpointId })}/rotate-secret`, body: jsonBody(rotation) },
        { ...options, maxRetries: 0 },
      ),
    test: async (endpoint, options) => send({ method: "POST", path: `${pathOf(endpoint)}/test` }, options),
    deliveries: async ({ endpointId, ...query }, options) =>
      send({ method: "GET", path: `${pathOf({ endpointId })}/deliveries`, query }, options),
    delivery: async (delivery, options) => send({ method: "GET", path: deliveryPathOf(delivery) }, options),
    redeliver: async (delivery, options) =>
      send({ method: "POST", path: `${deliveryPathOf(delivery)}/redeliver` }, options),
    redeliverFailed: async ({ endpointId, ...since }, options) =>
      send({ method: "POST", path: `${pathOf({ endpointId })}/redeliver`, body: jsonBody(since) }, options),
  };
}
