import type { Facts } from "./facts.ts";

/** I3: every record is resolved or needs attention, and shows what the provider decided. */
export function undecided({ records, ledger }: Facts): string[] {
  const executed = new Map(ledger.executions.map((execution) => [execution.reference, execution]));
  const refused = new Set(ledger.refusals.map(({ reference }) => reference));
  return records.flatMap(({ id, resolution, sub_status, needsAttention }) => {
    const effect = executed.get(id);
    switch (resolution) {
      case "unresolved":
        return needsAttention ? [] : [`I3: ${id} is still unresolved`];
      case "refused":
        return refused.has(id) ? [] : [`I3: ${id} is refused, but not by the provider`];
      case "answered":
        if (!effect) return [`I3: ${id} is answered, but the provider does not have it`];
        if (effect.status === sub_status) return [];
        return [`I3: ${id} shows ${sub_status}, the provider has ${effect.status}`];
      default:
        return [`I3: ${id} is in an unknown state`];
    }
  });
}
