import type { AuditProofs, AuditVerified, CheckpointReference } from "@cardbridge/domain";
import { InvalidArgumentError, Option } from "commander";
import type { NounDetails, Report } from "./details.ts";

/** The maximum number of problems to print. More problems usually have one cause. */
const maxLines = 20;

const known = new Option(
  "--known <checkpoint>",
  "a checkpoint of an earlier report, as number:hash; it must still exist",
);

export const audit = {
  list: {
    arguments: ["platformId"],
    example: "audit list --subject kyc_… --operation records.submission",
    // The names of persons are encrypted.
    requires: ["keys"],
    columns: { entries: "at platformId by actor operation subject outcome purpose address" },
  },
  proof: {
    example: "audit proof --operation records.submission --after 2027-01-01T00:00:00Z --json > proof.json",
    report: ({ platforms, since }) => ({
      text: [...platforms.map((one) => proven(one.platformId, one)), ...dropped(since)].join("\n"),
      note: "Add --json for the proof.",
    }),
  },
  caseFile: {
    example: "audit case-file kyc_… --json > case-file.json",
    requires: ["keys"],
    report: ({ record, audit: proofs }) => ({
      text: [proven(record.kycRecordId, proofs), ...dropped(proofs.since)].join("\n"),
      note: "Add --json for the case file.",
    }),
  },
  export: {
    example: "audit export --month 2026-01 --to /srv/audit",
    columns: { files: "platformId file checkpoints entries digest" },
    report: ({ problems }) => (problems.length > 0 ? { problem: problems.join("\n") } : {}),
  },
  drop: {
    example: "audit drop --month 2026-01",
    report: ({ month }) => ({ text: `The audit of ${month} is dropped.` }),
  },
  verify: {
    description:
      "Verifies all entries of a platform by their checkpoints. The exit code is 1 if an entry is wrong.",
    arguments: ["platformId"],
    options: [known.argParser(parseCheckpoint)],
    add: (sum, batch) => ({
      ...batch,
      checkpoints: sum.checkpoints + batch.checkpoints,
      entries: sum.entries + batch.entries,
      last: batch.last ?? sum.last,
      problems: [...sum.problems, ...batch.problems],
    }),
    report: (verified, { platformId }) => verdict(verified, String(platformId)),
  },
} satisfies NounDetails<"audit">;

function proven(
  name: string,
  { entries, checkpoints }: Pick<AuditProofs, "entries" | "checkpoints">,
): string {
  const covered = entries.filter(({ index }) => index !== null).length;
  return `${name}: ${entries.length} audit entries, ${covered} of them under ${checkpoints.length} checkpoints with a root.`;
}

const dropped = (since: string | null): string[] =>
  since === null ? [] : [`Entries before ${since} were exported and dropped.`];

/** The command fails if the chain is invalid, or if there is nothing to verify. */
function verdict(
  { checkpoints, entries, pending, anchor, last, problems }: AuditVerified,
  platformId: string,
): Report {
  if (problems.length > 0) {
    const lines = [`The audit of ${platformId} is invalid.`, ...problems.slice(0, maxLines)];
    if (problems.length > maxLines) lines.push(`And ${problems.length - maxLines} more.`);
    if (problems.length >= checkpoints) lines.push("Check that FINGERPRINT_KEY is the service's.");
    return { text: "", problem: lines.join("\n") };
  }
  if (checkpoints === 0 && pending === 0 && !anchor)
    return { text: "", problem: `The audit of ${platformId} is empty: check the platform's id.` };
  const valid = `The audit of ${platformId} is valid: ${entries} entries under ${checkpoints} checkpoints. Later entries: ${pending}.${anchor ? ` It starts after checkpoint ${anchor.number}: earlier entries were exported and dropped.` : ""}`;
  if (!last) return { text: valid };
  const checkpoint = `Its last checkpoint, to store elsewhere and to pass to --known: ${last.number}:${last.hash}`;
  return { text: `${valid}\n${checkpoint}` };
}

function parseCheckpoint(text: string): CheckpointReference {
  const [, number, hash] = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw new InvalidArgumentError("Give number:hash, as verify and the log report it.");
}
