import { internalPlatformId, type Platform, type Platforms } from "@cardbridge/domain";
import { eq, sql } from "drizzle-orm";
import { shownMoment } from "../columns.ts";
import type { Database } from "../database.ts";
import { platforms } from "../schema.ts";
import { withCommit } from "../transaction.ts";

const facts = {
  platformId: sql<string>`id`,
  name: sql<string>`name`,
  createdAt: shownMoment(sql`created_at`),
};

/** The platforms; that of the internal apps is none that anybody names or renames. */
export function platformsRepository(database: Database): Platforms {
  return {
    async exists(platformId) {
      if (platformId === internalPlatformId) return false;
      return database.asPlatform<boolean>(platformId, async (tx) => {
        const found = tx.select({ id: platforms.id }).from(platforms).where(eq(platforms.id, platformId));
        return withCommit([found], ([rows]) => rows.length > 0);
      });
    },

    list: (limit) =>
      database.withoutPlatform((tx) => tx.select(facts).from(sql`list_platforms(${limit}::integer)`)),

    create: ({ platformId, name }) =>
      database.asPlatform<Platform>(platformId, async (tx) => {
        const made = tx.insert(platforms).values({ id: platformId, name }).returning(facts);
        return withCommit([made], ([rows]) => thePlatform(rows));
      }),

    async rename({ platformId, name }) {
      if (platformId === internalPlatformId) return null;
      return database.asPlatform<Platform | null>(platformId, async (tx) => {
        const renamed = tx
          .update(platforms)
          .set({ name })
          .where(eq(platforms.id, platformId))
          .returning(facts);
        return withCommit([renamed], ([rows]) => rows[0] ?? null);
      });
    },
  };
}

function thePlatform([row]: readonly (Platform | undefined)[]): Platform {
  if (!row) throw new Error("The platform was not made.");
  return row;
}
