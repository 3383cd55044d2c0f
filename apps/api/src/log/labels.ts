import type { Labels } from "@cardbridge/domain";

/** The labels of the log. The values are unused; they keep the list exhaustive. */
const known: Record<keyof Labels, true> = {
  operation: true,
  resource: true,
  step: true,
  outcome: true,
  reason: true,
  field: true,
  route: true,
  method: true,
  status: true,
  platformId: true,
  kycRecordId: true,
  checkpoint: true,
  hash: true,
  root: true,
};

/** The labels for the log. The allow-list drops extra fields, which types do not prevent. */
export function labelsForLog(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => Object.hasOwn(known, name)));
}
