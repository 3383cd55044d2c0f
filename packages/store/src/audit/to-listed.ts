import type { ListedAuditEntry } from "@cardbridge/domain";
import type { Entry } from "./digest.ts";

/** Converts a row into an entry for operators. */
export function toListed({ txid: _txid, id, at, actor, ...entry }: Entry): ListedAuditEntry {
  const person = personOf(actor);
  const key = person === null ? actor : actor.slice(person.length + 1);
  return { purpose: null, ...entry, actor: key, person, id: String(id), at: at.toISOString() };
}

/** The person of an actor, which is `<personId>/<keyId>` then; null for another actor. */
export function personOf(actor: string): string | null {
  return /^(per_[^/]*)\//.exec(actor)?.[1] ?? null;
}
