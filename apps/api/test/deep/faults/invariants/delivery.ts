import type { Cluster } from "../cluster/cluster.ts";
import { countBy, type Facts } from "./facts.ts";

/** I1: every record that a client or the provider has is in the database. */
export function lost({ replies }: Cluster, { records, ledger }: Facts): string[] {
  const stored = new Set(records.map(({ id }) => id));
  const reported = replies
    .filter(({ body }) => body.kycRecordId !== undefined && !stored.has(body.kycRecordId))
    .map(({ body, submission }) => `I1: ${submission.memberId} was given ${body.kycRecordId}, which is lost`);
  const executed = [...ledger.executions, ...ledger.refusals]
    .filter(({ reference }) => !stored.has(reference))
    .map(({ reference }) => `I1: the provider knows ${reference}, which the database does not`);
  return [...reported, ...executed];
}

/** I2: a submission has one record and one effect at most, and is not sent again after its effect. */
export function duplicated({ records, ledger, allowed }: Facts): string[] {
  const over = (counts: Map<string, number>, what: string) =>
    [...counts]
      .filter(([, count]) => count > allowed.perUser)
      .map(([user, count]) => `I2: ${user} has ${count} ${what}`);
  return [
    ...over(
      countBy(ledger.executions, ({ userReference }) => userReference),
      "effects",
    ),
    ...over(
      countBy(records, ({ user_id }) => user_id),
      "records",
    ),
    ...ledger.attempts
      .filter(({ outcome }) => outcome === "repeated" || outcome === "conflict")
      .map(({ reference, outcome }) => `I2: ${reference} was sent again after its effect (${outcome})`),
  ];
}

/** I4: clients who repeat a submission receive the same record. */
export function ambiguous({ replies }: Cluster, { allowed }: Facts): string[] {
  const known = new Map<string, Set<string>>();
  for (const { submission, body } of replies) {
    if (body.kycRecordId === undefined) continue;
    const ids = known.get(submission.memberId) ?? new Set();
    known.set(submission.memberId, ids.add(body.kycRecordId));
  }
  return [...known]
    .filter(([, ids]) => ids.size > allowed.perUser)
    .map(([member, ids]) => `I4: ${member} was given ${[...ids].join(" and ")}`);
}
