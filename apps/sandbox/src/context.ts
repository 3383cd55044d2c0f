import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Book, Execution } from "./book.ts";
import type { Reception } from "./reception.ts";
import type { Client } from "./signature.ts";

/** What every route works with. */
export interface Desk {
  readonly book: Book;
  readonly reception: Reception;
  readonly client: Client;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long the `slow` scenario takes to answer, in milliseconds. */
  readonly slowMs: number;
  /** Has the events of a submission sent. */
  readonly follow: (execution: Execution) => void;
}

export type Env = { Bindings: HttpBindings; Variables: { body: Uint8Array } };

export type Call = Context<Env>;
