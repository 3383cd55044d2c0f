import type { ListedAuditEntry } from "@cardbridge/domain";
import type { Entry } from "./digest.ts";

/** Converts a row into an entry for operators. The actor of a person's call is `<personId>/<keyId>`. */
export function toListed({ txid: _txid, id, at, actor, ...entry }: Entry): ListedAuditEntry {
  const [, person = null, key = actor] = /^(per_[^/]*)\/(.*)$/.exec(actor) ?? [];
  return { ...entry, actor: key, person, id: String(id), at: at.toISOString() };
}
