import type { AuditVerified } from "@cardbridge/domain";
import type { Report } from "../report.ts";

/** The sum of all batches. */
export interface Verification extends Omit<AuditVerified, "next" | "unsealed"> {
  unsealed: number;
}

/** More problems than this have one cause. */
const maxLines = 20;

/** The command fails if the chain does not hold, or if there is nothing to verify. */
export function verifyReport(platformId: string, verification: Verification): Report {
  const document = { platformId, ...verification };
  const { seals, entries, unsealed, last, problems } = verification;
  if (problems.length > 0) {
    const more = problems.length - maxLines;
    const lines = [
      `The audit of ${platformId} does not hold.`,
      ...problems.slice(0, maxLines),
      ...(more > 0 ? [`And ${more} more.`] : []),
      ...(problems.length >= seals ? ["Check that FINGERPRINT_KEY is the service's."] : []),
    ];
    return { document, text: "", problem: lines.join("\n") };
  }
  if (seals === 0 && unsealed === 0) {
    return { document, text: "", problem: `The audit of ${platformId} is empty: check the platform's id.` };
  }
  const lines = [
    `The audit of ${platformId} holds: ${entries} entries under ${seals} seals. Not sealed yet: ${unsealed}.`,
    ...(last ? [`Its last seal, to keep elsewhere and to give to --known: ${last.number}:${last.hash}`] : []),
  ];
  return { document, text: lines.join("\n") };
}
