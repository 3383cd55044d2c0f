export { type AddressRulesOptions, createAddressRules } from "./addresses/address-rules.ts";
export { createExternalFiles } from "./files/external-files.ts";
export { createGuardedClient, type GuardedClient, type GuardedClientOptions } from "./guarded-client.ts";
export { type StartTimer, startSystemTimer, withDeadline } from "./http/deadline.ts";
export { type ExchangeResult, exchange, type HttpResponse, type NoResponse } from "./http/exchange.ts";
export { parseRetryAfter } from "./http/retry-after.ts";
export { createWebhookSender } from "./webhooks/sender.ts";
