import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { State } from "../state/state.ts";
import type { SubmissionHandler } from "../submissions/handler.ts";
import type { EventSource } from "../webhooks/events.ts";
import type { Client } from "./signature.ts";

/** The dependencies of the routes. */
export interface Dependencies {
  readonly state: State;
  readonly submissions: SubmissionHandler;
  readonly client: Client;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The delay of responses in the `slow` scenario, in milliseconds. */
  readonly slowMs: number;
  /** Sends the events of a source. Call it after each change of the source. */
  readonly sendEvents: (source: EventSource) => void;
}

export type Env = { Bindings: HttpBindings; Variables: { body: Uint8Array } };

export type RequestContext = Context<Env>;
