import { type DueDelivery, slowAttemptMs, type WebhookDeliveries } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { KeyGate } from "../sealing/key-gate.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import type { Tx } from "../statements.ts";
import { withCommit } from "../transaction.ts";
import { unwrapEndpointKey } from "./endpoint-key.ts";
import { failPending } from "./fail-pending.ts";
import { recordStatements } from "./record-statements.ts";
import { sealExcerpt } from "./sealed-excerpt.ts";

/** Stores attempts and what follows them. */
export function records(database: Database, keyGate: KeyGate): Pick<WebhookDeliveries, "record"> {
  return {
    async record(due, { outcome, decision, milliseconds }) {
      const { ring } = await keyGate();
      const disabled = await database.asPlatform<boolean>(due.platformId, async (tx) => {
        const { success, failure } = recordStatements(tx);
        const stored = (decision.kind === "delivered" ? success : failure).execute({
          ...due,
          ...(outcome.kind === "answered"
            ? { status: outcome.status, reason: null, excerpt: await sealed(tx, due, outcome.excerpt, ring) }
            : { status: null, reason: outcome.reason, excerpt: null }),
          kind: decision.kind,
          retryInMs: decision.kind === "retry" ? decision.delayMs : null,
          milliseconds,
          prompt: milliseconds <= slowAttemptMs,
        });
        return withCommit([stored], ([rows]) => rows.some((row) => row.disabled));
      });
      // After a crash here the worker's sweep fails them.
      if (disabled) await failPending(database, due);
      return { disabled };
    },
  };
}

/** Encrypts what an answer says under its endpoint's key. Null for nothing, which needs no key, and for a deleted endpoint. */
async function sealed(tx: Tx, due: DueDelivery, excerpt: string, ring: KeyRing): Promise<Buffer | null> {
  if (excerpt === "") return null;
  const [wrapped] = await recordStatements(tx).findKey.execute({ ...due });
  return wrapped ? sealExcerpt(excerpt, unwrapEndpointKey(wrapped, due, ring), due) : null;
}
