import type { ListedAuditEntry } from "@cardbridge/domain";
import type { Entry } from "./digest.ts";

/** Converts a row into an entry for operators. */
export function toListed({ txid: _txid, id, at, ...entry }: Entry): ListedAuditEntry {
  return { ...entry, id: String(id), at: at.toISOString() };
}
