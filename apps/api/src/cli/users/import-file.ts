import type { ImportedUser, ImportOutcome } from "@cardbridge/domain";
import { operations, type Run } from "../session.ts";
import { inBatches } from "./batches.ts";
import { openFile } from "./open-file.ts";
import { type Line, readUsers } from "./read-users.ts";

/** What is wrong with a line; never the line's content. */
export interface RefusedLine {
  line: number;
  field: string | null;
  rule: string;
  message: string;
}

/** The result of an import so far. */
export interface Imported {
  platformId: string;
  lines: number;
  created: number;
  unchanged: number;
  refused: RefusedLine[];
}

interface Options {
  /** A path, or `-` for standard input. */
  file: string;
  platformId: string;
  onProgress(imported: Imported): void;
}

/** The maximum of users in one batch of the operation. */
const batchSize = 200;

/**
 * Imports the users of a file, batch by batch: a batch that is imported stays, and the same file may be imported again.
 * @throws CommandError where the file cannot be read; Failure PLATFORM_NOT_FOUND.
 */
export async function importFile(run: Run, { file, platformId, onProgress }: Options): Promise<Imported> {
  const imported: Imported = { platformId, lines: 0, created: 0, unchanged: 0, refused: [] };
  for await (const lines of inBatches(readUsers(await openFile(file)), batchSize)) {
    const valid = lines.flatMap((line) => ("user" in line ? [line] : []));
    const users = valid.map(({ user }) => user);
    const outcomes = users.length > 0 ? await importBatch(run, platformId, users) : [];
    imported.lines += lines.length;
    imported.created += outcomes.filter(({ outcome }) => outcome === "created").length;
    imported.unchanged += outcomes.filter(({ outcome }) => outcome === "unchanged").length;
    const taken = valid.flatMap(({ line }, index) => refusedAsTaken(line, outcomes[index]));
    imported.refused.push(...lines.flatMap(refusedAsInvalid), ...taken);
    onProgress(imported);
  }
  imported.refused.sort((a, b) => a.line - b.line);
  return imported;
}

async function importBatch(run: Run, platformId: string, users: ImportedUser[]): Promise<ImportOutcome[]> {
  return (await run(operations.users.import, { platformId, users })).outcomes;
}

function refusedAsInvalid(line: Line): RefusedLine[] {
  if ("user" in line) return [];
  return line.violations.map(({ path: [field], rule, message }) => ({
    line: line.line,
    field: field === undefined ? null : String(field),
    rule,
    message,
  }));
}

const takenMessages: Record<keyof ImportedUser, string> = {
  memberId: "A user with this member id has another e-mail. Correct the line, or relink the user.",
  email: "A user with this e-mail has another member id. Correct the line, or relink the user.",
  externalUserId: "This id is another user's, or this user has another one. Correct the line.",
};

function refusedAsTaken(line: number, result: ImportOutcome | undefined): RefusedLine[] {
  if (result?.outcome !== "taken") return [];
  return [{ line, field: result.field, rule: "taken", message: takenMessages[result.field] }];
}
