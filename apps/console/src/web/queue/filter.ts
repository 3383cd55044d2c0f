/** The filters of the queue as search parameters: the only state of the view. */
export interface QueueSearch {
  tab?: "open" | "all";
  status?: (typeof statuses)[number];
  reason?: string;
  platform?: string;
  within?: (typeof withins)[number];
  assignee?: "mine" | "none" | (string & {});
  order?: "newest";
}

export const statuses = [
  "unresolved",
  "refused",
  "PENDING",
  "PENDING_APPROVAL",
  "APPROVED",
  "REJECTED",
] as const;
export const withins = ["1h", "24h", "7d", "30d"] as const;
const hoursOf = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 };

const oneOf = <const T extends string>(value: unknown, options: readonly T[]): T | undefined =>
  options.find((option) => option === value);
const idLike = (value: unknown): string | undefined =>
  typeof value === "string" && /^[A-Za-z0-9_-]{1,80}$/.test(value) ? value : undefined;

/** Reads the search parameters of an address. What is not valid is left out. */
export function validateQueueSearch(raw: Record<string, unknown>): QueueSearch {
  return withoutAbsent({
    tab: oneOf(raw.tab, ["open", "all"]),
    status: oneOf(raw.status, statuses),
    reason: idLike(raw.reason),
    platform: idLike(raw.platform),
    within: oneOf(raw.within, withins),
    assignee: idLike(raw.assignee),
    order: oneOf(raw.order, ["newest"]),
  });
}

/** The input of records.search. The time of `within` is cut to the minute, so that the same view has the same input. */
export function toSearchInput(search: QueueSearch, me: string, now: number) {
  const { tab, status, reason, platform, within, assignee, order } = search;
  const isResolution = status === "unresolved" || status === "refused";
  const since = within && Math.floor(now / 60_000) * 60_000 - hoursOf[within] * 3_600_000;
  return withoutAbsent({
    needsAttention: tab === undefined ? true : undefined,
    open: tab === "open" ? true : undefined,
    resolution: isResolution ? status : undefined,
    status: isResolution ? undefined : status,
    reason,
    platformIds: platform === undefined ? undefined : [platform],
    assignee: assignee === "mine" ? me : assignee,
    createdAfter: since === undefined ? undefined : new Date(since).toISOString(),
    order: order ?? "oldest",
  });
}

/** Whether a filter beyond the tab is set. */
export function isFiltered({ tab: _, order: __, ...filters }: QueueSearch): boolean {
  return Object.keys(filters).length > 0;
}

type Present<T> = {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
} & {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name];
};

function withoutAbsent<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
