import { idLike, oneOf, sinceOf, type Within, withins, withoutAbsent } from "../lib/search-params.ts";

/** The filters of the queue as search parameters: the only state of the view. */
export interface QueueSearch {
  tab?: "open" | "requested" | "all";
  status?: (typeof statuses)[number];
  document?: (typeof expiries)[number];
  reason?: string;
  platform?: string;
  within?: Within;
  assignee?: "me" | "none";
  order?: "newest";
}

const statuses = ["unresolved", "refused", "PENDING", "PENDING_APPROVAL", "APPROVED", "REJECTED"] as const;

/** The states of an approval's document that somebody looks for. */
const expiries = ["expiring", "expired"] as const;

/** Reads the search parameters of an address. What is not valid is left out. */
export function validateQueueSearch(raw: Record<string, unknown>): QueueSearch {
  return withoutAbsent({
    tab: oneOf(raw.tab, ["open", "requested", "all"]),
    status: oneOf(raw.status, statuses),
    document: oneOf(raw.document, expiries),
    reason: idLike(raw.reason),
    platform: idLike(raw.platform),
    within: oneOf(raw.within, withins),
    assignee: oneOf(raw.assignee, ["me", "none"]),
    order: oneOf(raw.order, ["newest"]),
  });
}

/** The input of records.search. */
export function toSearchInput(search: QueueSearch, now: number) {
  const { tab, status, document, reason, platform, within, assignee, order } = search;
  const isResolution = status === "unresolved" || status === "refused";
  return withoutAbsent({
    needsAttention: tab === undefined ? true : undefined,
    open: tab === "open" ? true : undefined,
    requested: tab === "requested" ? true : undefined,
    resolution: isResolution ? status : undefined,
    status: isResolution ? undefined : status,
    documentExpiry: document,
    reason,
    platformIds: platform === undefined ? undefined : [platform],
    assignee,
    createdAfter: within && sinceOf(within, now),
    order: order ?? "oldest",
  });
}

/** Whether a filter beyond the tab is set. */
export function isFiltered({ tab: _, order: __, ...filters }: QueueSearch): boolean {
  return Object.keys(filters).length > 0;
}
