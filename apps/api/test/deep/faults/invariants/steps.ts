import type { Cluster } from "../cluster/cluster.ts";
import type { Facts } from "./facts.ts";

/**
 * I2 for a provider with two steps: each effect and each sent submission contain the upload id that the record stores.
 * A second upload happens only if the first id was not stored.
 */
export async function wrongSteps(
  { twoSteps, services, query }: Cluster,
  { ledger }: Facts,
): Promise<string[]> {
  if (!twoSteps) return [];
  const rows = await query<{ record_id: string; id: string }>(
    "select record_id, result ->> 'id' as id from provider_steps where name = 'upload'",
  );
  const kept = new Map(rows.map(({ record_id, id }) => [record_id, id]));
  const uploaded = new Set(services.flatMap(({ provider }) => provider.uploads.map(({ id }) => id)));
  const named = [
    ...ledger.executions.map(({ reference, request }) => ({ reference, text: JSON.stringify(request) })),
    ...services.flatMap(({ provider }) =>
      provider.seen.filter(
        ({ method, answerReference }) => method === "PUT" && answerReference === undefined,
      ),
    ),
  ];
  return [
    ...named
      .filter(({ reference, text }) => !text.includes(`#${kept.get(reference)}`))
      .map(({ reference }) => `I2: ${reference} was sent with an upload other than the stored one`),
    ...[...kept]
      .filter(([, id]) => !uploaded.has(id))
      .map(([reference]) => `I2: ${reference} stores an unknown upload`),
  ];
}
