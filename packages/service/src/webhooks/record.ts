import type { DueDelivery, WebhookDeliveries } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { encryptExcerpt } from "./encrypted-excerpt.ts";
import { unwrapEndpointKey } from "./endpoint-key.ts";
import { failPending } from "./fail-pending.ts";
import { recordStatements } from "./record-statements.ts";

/** Records attempts and their consequences. */
export function records(database: Database, verifiedKeys: VerifiedKeys): Pick<WebhookDeliveries, "record"> {
  return {
    async record(due, { outcome, decision, milliseconds }) {
      const { ring } = await verifiedKeys();
      const disabled = await database.asPlatform<boolean>(due.platformId, async (tx) => {
        const { success, failure } = recordStatements(tx);
        const stored = (decision.kind === "delivered" ? success : failure).execute({
          ...due,
          ...(outcome.kind === "answered"
            ? {
                status: outcome.status,
                reason: null,
                excerpt: await encrypted(tx, due, outcome.excerpt, ring),
              }
            : { status: null, reason: outcome.reason, excerpt: null }),
          kind: decision.kind,
          retryInMs: decision.kind === "retry" ? decision.delayMs : null,
          milliseconds,
        });
        return pipelineCommit([stored], ([rows]) => rows.some((row) => row.disabled));
      });
      // After a crash here, the worker's sweep fails them.
      if (disabled) await failPending(database, due);
      return { disabled };
    },
  };
}

/** Encrypts an excerpt under its endpoint's key; null for an empty excerpt and for a deleted endpoint. */
async function encrypted(tx: Tx, due: DueDelivery, excerpt: string, ring: KeyRing): Promise<Buffer | null> {
  if (excerpt === "") return null;
  const [wrapped] = await recordStatements(tx).findKey.execute({ ...due });
  return wrapped ? encryptExcerpt(excerpt, unwrapEndpointKey(wrapped, due, ring), due) : null;
}
