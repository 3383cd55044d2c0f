import {
  type AuditProofQuery,
  auditProof,
  auditProofQuery,
  Failure,
  maxProvenEntries,
  type PersonPlatforms,
} from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import type { Position } from "./entries.ts";
import { type Cover, findCovers, proveEntries } from "./proofs.ts";
import { positionOf, searchEntries, searchedPlatforms } from "./search.ts";

interface Limits {
  entries: number;
  /** Pages of 50,000 entries that it reads to find its own. */
  pages: number;
  /** Entries that it hashes: all under the checkpoints of its own. */
  hashed: number;
}

const maxima: Limits = { entries: maxProvenEntries, pages: 20, hashed: 500_000 };

/** Proves all entries that a search finds. */
export const proveAudit = (limits = maxima) =>
  defineOperation({
    ...forOperators("ops.audit"),
    reach: "platforms",
    id: "audit.proof",
    kind: "read",
    summary: "Prove audit entries",
    description:
      "All entries that a search of the audit finds, oldest first, each with the proof that a published checkpoint covers " +
      "it. It names persons by their ids alone. It is refused for more than 5,000 entries, or if the search reads too much: " +
      "then narrow it.",
    input: auditProofQuery,
    rules: [],
    output: auditProof,
    example: {
      input: { operation: "records.submission" },
      output: {
        format: "cardbridge-audit-proof/1",
        createdAt: "2026-02-01T09:00:00.000Z",
        query: { operation: "records.submission" },
        platforms: [],
        since: null,
      },
    },
    errors: ["PLATFORM_NOT_FOUND"],
    audit: ["done"],

    async run(ports, call, query) {
      const { found, dropped } = await findEntries(ports, searchedPlatforms(call, query), { query, limits });
      const covers: [platformId: string, covers: Cover[]][] = [];
      for (const [platformId, entries] of Map.groupBy(found, (entry) => entry.platformId)) {
        const ofPlatform = entries.map(({ platformId: _, ...entry }) => entry);
        covers.push([platformId, await findCovers(ports, platformId, ofPlatform)]);
      }
      const hashed = covers.flatMap(([, each]) => each).reduce((sum, { count }) => sum + count, 0);
      if (hashed > limits.hashed) throw tooLarge();
      const since = new Date(query.after ?? 0);
      const platforms = [];
      for (const [platformId, each] of covers)
        platforms.push(await proveEntries(ports, platformId, { covers: each, since }));
      const data = {
        format: "cardbridge-audit-proof/1" as const,
        createdAt: new Date().toISOString(),
        query,
        platforms,
        since: dropped !== null && dropped > since.toISOString() ? dropped : null,
      };
      return { data };
    },
  });

/** All entries that match, oldest first, and until when entries were dropped. */
async function findEntries(
  ports: Ports,
  platforms: PersonPlatforms,
  { query, limits }: { query: AuditProofQuery; limits: Limits },
) {
  const found = [];
  let start: Position | undefined;
  for (let pages = 1; pages <= limits.pages; pages += 1) {
    const limit = limits.entries + 1 - found.length;
    const { page, entries, since } = await searchEntries(ports, platforms, { query, start, limit });
    found.push(...entries);
    if (found.length > limits.entries) throw tooLarge();
    if (!page.next) return { found: found.reverse(), dropped: since };
    start = positionOf(page.next);
  }
  throw tooLarge();
}

function tooLarge(): Failure {
  const message = `Too many entries for one proof, which has at most ${maxProvenEntries}. Choose a shorter time, an operation or a platform.`;
  return new Failure("INVALID_INPUT", { violations: [{ path: [], rule: "proof-size", message }] });
}
