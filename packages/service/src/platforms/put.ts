import { asOwner } from "../database/as-owner.ts";
import { platforms } from "../database/schema.ts";

/** Creates or renames a platform. Requires the owner's connection. */
export function putPlatform(ownerUrl: string, { id, name }: { id: string; name: string }): Promise<void> {
  return asOwner(ownerUrl, id, (tx) =>
    tx.insert(platforms).values({ id, name }).onConflictDoUpdate({ target: platforms.id, set: { name } }),
  );
}
