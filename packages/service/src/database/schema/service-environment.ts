import { environments } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { boolean, check, pgPolicy, pgTable, text } from "drizzle-orm/pg-core";
import { oneOf } from "./policies.ts";

/** The environment of the database (gap G36): one row, which the first service stores. */
export const serviceEnvironment = pgTable(
  "service_environment",
  {
    onlyRow: boolean("only_row").primaryKey().default(true),
    name: text("name", { enum: environments }).notNull(),
  },
  (table) => [
    pgPolicy("environment_of_all", { using: sql`true` }),
    check("service_environment_one_row", sql`${table.onlyRow}`),
    oneOf("service_environment_known", table.name, environments),
  ],
);
