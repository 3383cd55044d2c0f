import type { Cluster } from "../cluster/cluster.ts";
import type { ProviderLedger } from "../cluster/provider-ledger.ts";
import { type RecordRow, readRecords } from "./records.ts";

/** The exceptions of an episode. */
export interface Allowed {
  /** The limit of records and effects for each user: more than one if the episode resubmits. */
  perUser?: number;
}

/** The contents of the database and the provider at the end of an episode. */
export interface Facts {
  records: RecordRow[];
  ledger: ProviderLedger;
  allowed: Allowed & { perUser: number };
}

export async function readFacts(cluster: Cluster, allowed: Allowed): Promise<Facts> {
  const [records, ledger] = [await readRecords(cluster), await cluster.providerLedger()];
  return { records, ledger, allowed: { perUser: 1, ...allowed } };
}

export function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}
