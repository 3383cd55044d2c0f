import type { Platform } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";

/** The fields of Platform, by the column names that the table and `list_platforms` share. */
export const platformFields = {
  platformId: sql<string>`id`,
  name: sql<string>`name`,
  createdAt: shownMoment(sql`created_at`),
};

export const examplePlatform: Platform = {
  platformId: "plt_01jexample0000000000000000",
  name: "Example Ltd",
  createdAt: "2026-01-31T12:00:00.000Z",
};
