import type { AuditProofs } from "@cardbridge/domain";
import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { auditCheckpoints } from "../database/schema.ts";
import { readAbout } from "./about.ts";
import { type Checkpoint, type Entry, leafOf } from "./digest.ts";
import { pathOf, treeOf } from "./merkle.ts";
import { auditStatements, type Position } from "./statements.ts";
import { toListed } from "./to-listed.ts";

type Proofs = Omit<AuditProofs, "since">;
type Proven = Proofs["entries"][number];

/** The number of checkpoints whose ends one statement reads. */
const batchSize = 10_000;

/**
 * A platform's entries about these subjects since a time, each with its proof. It reads every entry and the end of every
 * checkpoint since then, in batches, and the checkpoints that cover a found entry with all of their entries.
 */
export async function proveEntries(
  database: Database,
  platformId: string,
  { subjects, since }: { subjects: readonly string[]; since: Date },
): Promise<Proofs> {
  const found: Entry[] = [];
  for await (const batch of readAbout(database, platformId, { subjects, since })) found.push(...batch);
  const entries: Proven[] = [];
  const checkpoints: Proofs["checkpoints"] = [];
  const covered = await findCheckpoints(database, platformId, { found, since });
  for (const [number, ofCheckpoint] of Map.groupBy(found, (entry) => covered.get(entry) ?? null)) {
    const range = number === null ? undefined : await readRange(database, platformId, number);
    if (!range?.checkpoint.root || range.entries.length !== range.checkpoint.count) {
      entries.push(...ofCheckpoint.map((entry) => unproven(platformId, entry, number)));
      continue;
    }
    const tree = treeOf(range.entries.map((entry) => leafOf(platformId, entry)));
    checkpoints.push({ number: range.checkpoint.number, root: range.checkpoint.root.toString("hex") });
    for (const entry of ofCheckpoint) {
      const index = range.entries.findIndex(({ id }) => id === entry.id);
      const path = pathOf(tree, index).map((hash) => hash.toString("hex"));
      const size = range.entries.length;
      entries.push({ ...unproven(platformId, entry, range.checkpoint.number), index, size, path });
    }
  }
  return { platformId, entries, checkpoints };
}

/** An entry that no checkpoint covers yet, or one without a root, or one whose other entries were dropped with their month. */
const unproven = (platformId: string, entry: Entry, checkpoint: number | null): Proven => ({
  entry: toListed(entry),
  leaf: leafOf(platformId, entry).toString("hex"),
  checkpoint,
  index: null,
  size: null,
  path: [],
});

type End = Position & { number: number };

/** The number of the checkpoint of each found entry: the first one that ends at or after it. */
async function findCheckpoints(
  database: Database,
  platformId: string,
  { found, since }: { found: readonly Entry[]; since: Date },
): Promise<Map<Entry, number>> {
  const covered = new Map<Entry, number>();
  let next = 0;
  for (let after: number | undefined = 0; after !== undefined && next < found.length; ) {
    const from: object = { platformId, number: after, since: since.toISOString(), limit: batchSize };
    const ends: End[] = await database.asPlatform<End[]>(platformId, (tx) =>
      auditStatements(tx).checkpointEnds.execute({ ...from }),
    );
    for (const end of ends) {
      for (let entry = found[next]; entry && !isAfter(entry, end); entry = found[next]) {
        covered.set(entry, end.number);
        next += 1;
      }
    }
    after = ends.length === batchSize ? ends.at(-1)?.number : undefined;
  }
  return covered;
}

const isAfter = (one: Position, other: Position) =>
  one.txid > other.txid || (one.txid === other.txid && one.id > other.id);

/** A checkpoint and the entries under it. */
function readRange(database: Database, platformId: string, number: number) {
  return database.asPlatform<{ checkpoint: Checkpoint; entries: Entry[] } | undefined>(
    platformId,
    async (tx) => {
      const rows = await tx
        .select()
        .from(auditCheckpoints)
        .where(
          and(
            eq(auditCheckpoints.platformId, platformId),
            inArray(auditCheckpoints.number, [number - 1, number]),
          ),
        );
      const checkpoint = rows.find((row) => row.number === number);
      const previous = rows.find((row) => row.number === number - 1);
      if (!checkpoint) return;
      const { lastTxid, lastId, count } = checkpoint;
      const start = previous
        ? { txid: previous.lastTxid, id: previous.lastId }
        : { txid: checkpoint.firstTxid, id: checkpoint.firstId - 1n };
      const range = { platformId, ...start, lastTxid, lastId, limit: count };
      return { checkpoint, entries: await auditStatements(tx).entriesUpTo.execute(range) };
    },
  );
}
