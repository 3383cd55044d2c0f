export { type CardProviderOptions, createCardProvider } from "./card-provider.ts";
export type { ClientOptions } from "./client.ts";
export type { BreakerOptions } from "./lane.ts";
export type { Reason } from "./outcome.ts";
