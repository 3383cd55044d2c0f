import type { AuditReport } from "@cardbridge/store";
import type { Report } from "../report.ts";

/** So many problems are said; where there are more, all have one cause. */
const mostLines = 20;

/** What verifying a platform's audit came to. */
export function verifyReport(platformId: string, found: AuditReport): Report {
  const document = { platformId, ...found };
  const { seals, entries, unsealed, last, problems } = found;
  if (problems.length > 0) {
    const more = problems.length - mostLines;
    const lines = [
      `The audit of ${platformId} does not hold.`,
      ...problems.slice(0, mostLines),
      ...(more > 0 ? [`And ${more} more.`] : []),
      ...(problems.length >= seals ? ["Is FINGERPRINT_KEY the service's?"] : []),
    ];
    return { document, text: "", problem: lines.join("\n") };
  }
  if (seals === 0 && unsealed === 0) {
    return { document, text: "", problem: `Nothing is in the audit of ${platformId}: is that its id?` };
  }
  const lines = [
    `The audit of ${platformId} holds: ${entries} entries under ${seals} seals. Not sealed yet: ${unsealed}.`,
    ...(last
      ? [`Its last seal, to be kept elsewhere and given to --known: ${last.number}:${last.hash}`]
      : []),
  ];
  return { document, text: lines.join("\n") };
}
