import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Tokens } from "../auth/tokens.ts";
import type { Events } from "../events/events.ts";
import type { Faults } from "../faults/faults.ts";
import type { RecordedRequest } from "../records/request.ts";
import type { Settings } from "../state/settings.ts";
import type { Store } from "../state/state.ts";

/** The dependencies of the routes. */
export interface Dependencies {
  readonly store: Store;
  readonly settings: Settings;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly events: Events;
  /** Every request to the API, in order of arrival. */
  readonly requests: RecordedRequest[];
  readonly credentials: { readonly clientId: string; readonly apiKey: string };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type Env = { Bindings: HttpBindings; Variables: { body: Buffer; request: RecordedRequest } };

export type RequestContext = Context<Env>;
