import type { Labels } from "@cardbridge/domain";

/** A word is one of a few, so that each may be a series of a metric; an id is for the log only. */
const kinds = {
  operation: "word",
  step: "word",
  outcome: "word",
  reason: "word",
  field: "word",
  platformId: "id",
  kycRecordId: "id",
  seal: "id",
  hash: "id",
} as const satisfies Record<keyof Labels, "word" | "id">;

/** What may be logged of labels, by allow-list: types do not stop an object that carries more. */
export function labelsForLog(labels: Labels): Labels {
  return pick(labels, () => true);
}

/** What may be counted by: words, and no id. */
export function labelsForMetrics(labels: Labels): Labels {
  return pick(labels, (kind) => kind === "word");
}

function pick(labels: Labels, wanted: (kind: "word" | "id") => boolean): Labels {
  const known = Object.entries(labels).filter(
    ([name]) => Object.hasOwn(kinds, name) && wanted(kinds[name as keyof Labels]),
  );
  return Object.fromEntries(known);
}
