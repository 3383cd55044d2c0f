import { type ListedAuditEntry, personOf } from "@cardbridge/domain";
import type { Entry } from "./digest.ts";

/** Converts a row into an entry for operators. */
export function toListed({ txid: _txid, id, at, actor, ...entry }: Entry): ListedAuditEntry {
  const person = personOf(actor);
  const key = person === null ? actor : actor.slice(person.length + 1);
  return { ...entry, actor: key, person, id: String(id), at: at.toISOString() };
}
