import type { Labels } from "@cardbridge/domain";

/** A word has few values, so metrics can use it. An id is for the log only. */
const kinds = {
  operation: "word",
  resource: "word",
  step: "word",
  outcome: "word",
  reason: "word",
  field: "word",
  route: "word",
  procedure: "word",
  status: "word",
  platformId: "id",
  kycRecordId: "id",
  seal: "id",
  hash: "id",
} as const satisfies Record<keyof Labels, "word" | "id">;

/** The labels for the log. The allow-list drops extra fields, which types do not prevent. */
export function labelsForLog(labels: Labels): Labels {
  return pick(labels, () => true);
}

/** The labels for metrics: words, without ids. */
export function labelsForMetrics(labels: Labels): Labels {
  return pick(labels, (kind) => kind === "word");
}

function pick(labels: Labels, isIncluded: (kind: "word" | "id") => boolean): Labels {
  const known = Object.entries(labels).filter(
    ([name]) => Object.hasOwn(kinds, name) && isIncluded(kinds[name as keyof Labels]),
  );
  return Object.fromEntries(known);
}
