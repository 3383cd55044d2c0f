export { type AirwallexProviderOptions, createAirwallexProvider } from "./airwallex/card-provider.ts";
export { createAirwallexEventReader } from "./airwallex/events.ts";
export { airwallexCapabilities } from "./airwallex/fields.ts";
export { type CardProviderOptions, createCardProvider } from "./cardbridge/card-provider.ts";
export type { ClientOptions } from "./cardbridge/client.ts";
export { createEventReader } from "./cardbridge/events.ts";
export { cardbridgeCapabilities } from "./cardbridge/fields.ts";
export type { BreakerOptions } from "./http/call-policy.ts";
export type { Reason } from "./http/call-result.ts";
