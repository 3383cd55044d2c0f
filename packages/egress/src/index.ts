export { type AddressRulesOptions, createAddressRules } from "./addresses/address-rules.ts";
export {
  createGuardedClient,
  type FailedReason,
  type GuardedClient,
  type GuardedClientOptions,
  type ReadResult,
} from "./guarded-client.ts";
export type { ConnectReason, ResponseReason } from "./http/connection-error.ts";
export { type StartTimer, startSystemTimer, withDeadline } from "./http/deadline.ts";
export { type ExchangeOptions, exchange } from "./http/exchange.ts";
export { parseRetryAfter } from "./http/retry-after.ts";
export { createWebhookSender } from "./webhooks/sender.ts";
