import { doublePrecision, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { platforms } from "./platforms.ts";
import { oneOf, ownerTask, platformIsolation } from "./policies.ts";

/** The token bucket of each platform and kind of call; see lease_rate_tokens. Unlogged: full after a crash. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    kind: text("kind").notNull(),
    /** The tokens at `refilled_at`. */
    tokens: doublePrecision("tokens").notNull(),
    refilledAt: moment("refilled_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.platformId, table.kind] }),
    platformIsolation(table.platformId),
    oneOf("rate_limits_kind", table.kind, ["query", "mutation"]),
  ],
);

/** The processes that take tokens; see lease_rate_tokens. Unlogged. */
export const limitingProcesses = pgTable(
  "limiting_processes",
  {
    id: text("id").primaryKey(),
    seenAt: moment("seen_at").notNull(),
  },
  () => [ownerTask("lease_rate_tokens")],
);
