import {
  type AuditOrigin,
  internalPlatformId,
  type ListedExecution,
  type RestoreFinding,
  reasonOf,
} from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

/**
 * Lists what the provider executed since a time, and adds what the database forgot.
 *
 * @param from null for a database without an audit entry, which forgot nothing
 */
export async function findExecutions(
  { restores, provider, providerSlots }: Pick<Ports, "restores" | "provider" | "providerSlots">,
  from: Date | null,
  by: AuditOrigin,
): Promise<{ finding: RestoreFinding; listed: boolean }> {
  const check = "Executions";
  const counts: Record<ListedExecution, number> = { known: 0, adopted: 0, unknown: 0, erased: 0 };
  const details: string[] = [];
  try {
    for (let cursor: string | undefined, more = from !== null; more; more = cursor !== undefined) {
      const list = async () => provider.listExecutions?.({ from: from ?? new Date(), cursor });
      const page = await providerSlots.run(internalPlatformId, list);
      if (!page) {
        const found =
          "The provider cannot list executions by time: a resend of a submission that the database forgot may execute twice.";
        return { finding: { check, result: "note", found, details: [] }, listed: false };
      }
      for (const execution of page.executions) {
        const result = await restores.addExecution(execution, by);
        counts[result] += 1;
        if (result !== "known")
          details.push(`${execution.reference} of ${execution.userReference} is ${result}.`);
      }
      cursor = page.nextCursor ?? undefined;
    }
  } catch (error) {
    const found = `The provider's executions could not be listed (${reasonOf(error)}). Run the check again.`;
    return { finding: { check, result: "problem", found, details }, listed: false };
  }
  const { known, adopted, unknown, erased } = counts;
  const found =
    `The provider executed ${known + adopted + unknown + erased} submissions since then, and the database knows ${known}. ` +
    `${adopted} records were added to their users. ${unknown} are of users that the database forgot: a resend finds ` +
    `them. ${erased} are of erased users.`;
  return { finding: { check, result: unknown > 0 ? "note" : "ok", found, details }, listed: true };
}
