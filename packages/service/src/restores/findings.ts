import type { AuditedPlatform, RestoreFinding } from "@cardbridge/domain";
import { reasonOf } from "@cardbridge/domain";
import { verifyAuditBatch } from "../audit/verify.ts";
import type { Ports } from "../operation/ports.ts";

type Of<P extends keyof Ports> = Pick<Ports, P>;

export async function checkAccess({ restores }: Of<"restores">): Promise<RestoreFinding> {
  const problems = await restores.accessProblems();
  const found =
    problems.length === 0
      ? "Tables, functions and row-level security are complete."
      : "The database lacks tables or rights. Restore it again, into a server that has the service's role.";
  return { check: "Access", result: problems.length === 0 ? "ok" : "problem", found, details: problems };
}

export async function checkKeys({ restores }: Of<"restores">): Promise<RestoreFinding> {
  const problems = await restores.keyProblems();
  const found =
    problems.length === 0
      ? "The encryption keys fit."
      : "The encryption keys are not those of this database.";
  return { check: "Keys", result: problems.length === 0 ? "ok" : "problem", found, details: problems };
}

/** Verifies the audit of every platform. Its last checkpoints are for the report: the next check can require them. */
export async function checkAudit(
  ports: Of<"database" | "keySet">,
  platforms: readonly AuditedPlatform[],
): Promise<RestoreFinding> {
  const sum = { checkpoints: 0, entries: 0, pending: 0 };
  const problems = platforms
    .filter(({ continues }) => !continues)
    .map(
      ({ platformId }) =>
        `${platformId}: the server's next transaction number is below that of the newest entry.`,
    );
  const ends: string[] = [];
  for (const { platformId } of platforms) {
    let end: { number: number; hash: string } | null = null;
    for (let after: number | null = 0; after !== null; ) {
      const batch = await verifyAuditBatch(ports, platformId, { after });
      sum.checkpoints += batch.checkpoints;
      sum.entries += batch.entries;
      sum.pending += batch.pending ?? 0;
      problems.push(...batch.problems.map((problem) => `${platformId}: ${problem}`));
      end = batch.last ?? end;
      after = batch.next;
    }
    if (end) ends.push(`${platformId}: last checkpoint ${end.number}:${end.hash}`);
  }
  const counts = `${sum.entries} entries under ${sum.checkpoints} checkpoints of ${platforms.length} platforms, ${sum.pending} later entries.`;
  const found = problems.length === 0 ? `The audit is valid: ${counts}` : `The audit is not valid: ${counts}`;
  return {
    check: "Audit",
    result: problems.length === 0 ? "ok" : "problem",
    found,
    details: [...problems, ...ends],
  };
}

/** Compares files and blobs. A lost file or a blob without a file is a note: the check removes and repairs neither. */
export async function checkFiles({ restores }: Of<"restores">): Promise<RestoreFinding> {
  const compared = await restores.compareFiles().catch(reasonOf);
  if (typeof compared === "string") {
    const found = `The file store could not be listed (${compared}), so files and blobs were not compared.`;
    return { check: "Files", result: "note", found, details: [] };
  }
  const { files, blobs, missing, orphans } = compared;
  const found =
    `The database has ${files} files, and the file store ${blobs} blobs. ` +
    `${missing.length} files have no blob. ${orphans.length} blobs have no file; they stay.`;
  const details = [
    ...missing.map((fileId) => `${fileId} has no blob.`),
    ...orphans.map((name) => `The blob ${name} has no file.`),
  ];
  return { check: "Files", result: details.length === 0 ? "ok" : "note", found, details };
}
