export { isCardNumber } from "./card-number.ts";
export { type CardProviderOptions, createCardProvider } from "./card-provider.ts";
export type { ClientOptions } from "./client.ts";
export { createEventReader, type EventReader, type ProviderEvent } from "./events.ts";
export type { BreakerOptions } from "./lane.ts";
export type { Reason } from "./outcome.ts";
