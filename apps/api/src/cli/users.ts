import type { ImportedUser, ImportOutcome } from "@cardbridge/domain";
import type { NounDetails, Report, Work } from "./details.ts";
import { formatTable } from "./output.ts";
import { type Line, type Refusal, readUsers } from "./read-users.ts";

/** The maximum of users in one batch of the operation. */
const batchSize = 200;
/** The maximum number of refused lines that people see; `--json` has all. */
const maxShown = 50;

export const users: NounDetails<"users"> = {
  show: { arguments: ["externalUserId"] },
  import: {
    description:
      "Imports users from CSV in UTF-8, from a file or, as -, from standard input. The first line names the columns: " +
      "memberId, email and, where the provider knows the users already, externalUserId. A line that breaks a " +
      "rule is refused and reported by its number; the others are imported. You can import the same file again.",
    example: "users import users.csv --platform plt_…",
    arguments: ["file"],
    run: importFile,
  },
};

/** The result of an import so far. */
interface Imported {
  platformId: string;
  lines: number;
  created: number;
  unchanged: number;
  refused: ({ line: number } & Refusal)[];
}

type Execute = (batch: {
  platformId: string;
  users: ImportedUser[];
}) => Promise<{ outcomes: ImportOutcome[] }>;

/** Imports the users of a file, batch by batch: a batch that is imported stays. */
async function importFile(execute: Execute, { input, stdin, width, progress }: Work): Promise<Report> {
  const imported = { platformId: String(input.platformId), lines: 0, created: 0, unchanged: 0, refused: [] };
  let batch: Line[] = [];
  for await (const line of readUsers(String(input.file), stdin)) {
    batch.push(line);
    if (batch.length < batchSize) continue;
    await importBatch(execute, imported, batch);
    progress(`${imported.lines} lines read …`);
    batch = [];
  }
  await importBatch(execute, imported, batch);
  return importReport(imported, width);
}

async function importBatch(execute: Execute, imported: Imported, batch: readonly Line[]): Promise<void> {
  const valid = batch.flatMap(({ line, user }) => (user ? [{ line, user }] : []));
  const users = valid.map(({ user }) => user);
  const { outcomes } =
    users.length > 0 ? await execute({ platformId: imported.platformId, users }) : { outcomes: [] };
  imported.lines += batch.length;
  for (const { line, refusals } of batch)
    imported.refused.push(...refusals.map((each) => ({ line, ...each })));
  for (const [index, result] of outcomes.entries()) {
    if (result.outcome !== "taken") imported[result.outcome] += 1;
    else imported.refused.push({ line: valid[index]?.line ?? 0, field: result.field, ...taken });
  }
}

const taken = {
  rule: "taken",
  message: "Another user has this value, or this user has another one. Correct the line, or relink the user.",
};

/** The result of an import, with every refused line by its number. The command fails if a line was refused. */
function importReport(imported: Imported, width: number): Report {
  const { created, unchanged, refused } = imported;
  refused.sort((a, b) => a.line - b.line);
  const lines = new Set(refused.map(({ line }) => line)).size;
  const counts = `${created} users were imported, ${unchanged} were there already, ${lines} lines were refused.`;
  if (lines === 0) return { document: imported, text: counts };
  const rows = refused.slice(0, maxShown).map((row) => ({ ...row, field: row.field ?? "-" }));
  const table = formatTable("refused", rows, "line field rule message", width);
  const more = refused.length > maxShown ? `\n… and ${refused.length - maxShown} more; --json has all.` : "";
  return {
    document: imported,
    text: `${counts}\n\n${table}${more}`,
    problem: "Correct the refused lines and import the file again: users that are imported stay as they are.",
  };
}
