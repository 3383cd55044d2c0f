import { idLike, oneOf, sinceOf, type Within, withins, withoutAbsent } from "../lib/search-params.ts";

/** The filters of the audit as search parameters. */
export interface AuditSearch {
  platform?: string;
  person?: string;
  key?: string;
  subject?: string;
  operation?: string;
  outcome?: string;
  within?: Within;
}

/** Reads the search parameters of an address. What is not valid is left out. */
export const validateAuditSearch = (raw: Record<string, unknown>): AuditSearch =>
  withoutAbsent({
    platform: idLike(raw.platform),
    person: idLike(raw.person),
    key: idLike(raw.key),
    subject: idLike(raw.subject),
    operation: idLike(raw.operation),
    outcome: idLike(raw.outcome),
    within: oneOf(raw.within, withins),
  });

/** The input of audit.list, without the page. */
export const toAuditInput = (search: AuditSearch, now: number) =>
  withoutAbsent({
    platformIds: search.platform === undefined ? undefined : [search.platform],
    personId: search.person,
    keyId: search.key,
    subject: search.subject,
    operation: search.operation,
    outcome: search.outcome,
    after: search.within && sinceOf(search.within, now),
  });

export type AuditFilter = ReturnType<typeof toAuditInput> & { before?: string };

/** The filter that an id sets. */
export function filterOfId(id: string): Pick<AuditSearch, "person" | "key" | "subject"> {
  if (id.startsWith("per_")) return { person: id };
  if (id.startsWith("key_")) return { key: id };
  return id === "" ? {} : { subject: id };
}
