import { internalPlatformId, type Platform, type Platforms } from "@cardbridge/domain";
import { eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { type LookupCache, noLookupCache } from "../database/lookup-cache.ts";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { platforms } from "../database/schema.ts";
import { pipelineCommit } from "../database/transaction.ts";

const platformFields = {
  platformId: sql<string>`id`,
  name: sql<string>`name`,
  createdAt: shownMoment(sql`created_at`),
};

const usageFields = {
  storedFiles: sql<number>`stored_files`.mapWith(Number),
  storedBytes: sql<number>`stored_bytes`.mapWith(Number),
};

/** The platforms. The platform of the internal apps is hidden: it cannot be found or renamed here. */
export function platformsRepository(database: Database, cache: LookupCache = noLookupCache): Platforms {
  return {
    find(platformId) {
      if (platformId === internalPlatformId) return null;
      return cache.find(`platform ${platformId}`, () =>
        database.asPlatform<Pick<Platform, "platformId"> | null>(platformId, async (tx) => {
          const id = { platformId: platforms.id };
          const found = tx.select(id).from(platforms).where(eq(platforms.id, platformId));
          return pipelineCommit([found], ([rows]) => rows[0] ?? null);
        }),
      );
    },

    list: (limit) =>
      database.withoutPlatform((tx) =>
        tx.select({ ...platformFields, ...usageFields }).from(sql`list_platforms(${limit}::integer)`),
      ),

    create: ({ platformId, name }) =>
      database.asPlatform<Platform>(platformId, async (tx) => {
        const created = tx.insert(platforms).values({ id: platformId, name }).returning(platformFields);
        return pipelineCommit([created], ([rows]) => requireRow(rows, "platform"));
      }),

    async rename({ platformId, name }) {
      if (platformId === internalPlatformId) return null;
      return database.asPlatform<Platform | null>(platformId, async (tx) => {
        const renamed = tx
          .update(platforms)
          .set({ name })
          .where(eq(platforms.id, platformId))
          .returning(platformFields);
        return pipelineCommit([renamed], ([rows]) => rows[0] ?? null);
      });
    },
  };
}
