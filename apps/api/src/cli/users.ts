import { type ImportedUser, type ImportOutcome, shownUser } from "@cardbridge/domain";
import { Option } from "commander";
import * as z from "zod";
import { showProgress } from "./context.ts";
import type { NounDetails, Report } from "./details.ts";
import { formatOutput, formatTable } from "./output.ts";
import { reportProposed } from "./proposals.ts";
import { type Line, type RefusedLine, readUsers } from "./read-users.ts";
import { encrypterTo, writeExport } from "./write-export.ts";

/** The maximum number of users in one batch of the operation. */
const batchSize = 200;
/** The maximum number of refused lines that people see; `--json` has all. */
const maxShown = 50;

/** A user with what to do next with the latest record in one sentence. */
const printedUser = shownUser.omit({ latest: true }).extend({ next: z.string() });

export const users = {
  show: {
    arguments: ["externalUserId"],
    report: ({ latest, ...user }) => ({
      text: formatOutput(printedUser, { ...user, next: latest?.next.operator }, {}),
    }),
  },
  import: {
    description:
      "Imports users from CSV in UTF-8, from a file or, as -, from standard input. The first line names the columns: " +
      "memberId, email and, for users that the provider already has, externalUserId. A line that breaks a " +
      "rule is refused and reported by its number; the others are imported. You can import the same file again.",
    example: "users import users.csv --platform plt_…",
    arguments: ["file"],
    async run(execute, input, context) {
      const platformId = String(input.platformId);
      const store: Store = async (users) => (await execute({ platformId, users })).outcomes;
      const imported = { platformId, lines: 0, created: 0, unchanged: 0, refused: [] };
      let batch: Line[] = [];
      for await (const line of readUsers(String(input.file), context.stdin)) {
        batch.push(line);
        if (batch.length < batchSize) continue;
        await importBatch(store, imported, batch);
        showProgress(context, `${imported.lines} lines read …`);
        batch = [];
      }
      await importBatch(store, imported, batch);
      return importReport(imported, context.stdout.columns);
    },
  },
  relink: { requires: ["keys"], report: reportProposed },
  erase: { requires: ["keys"], report: reportProposed },
  export: {
    description:
      "Writes what is stored about a user into one file, for a request of the data subject: names, submissions, " +
      "results, history, files, and who read or changed them. The file is a tar archive that is encrypted with age. " +
      "An existing file is never overwritten.",
    example: "users export usr_… --platform plt_… --recipient age1… --output usr_….tar.age",
    arguments: ["externalUserId"],
    options: [
      new Option(
        "--recipient <recipient>",
        "the age recipient who may decrypt the file (required)",
      ).makeOptionMandatory(),
      new Option(
        "--output <file>",
        "the file to write, which must not exist (required)",
      ).makeOptionMandatory(),
    ],
    input: ({ recipient, output }) => ({ recipient, output }),
    requires: ["keys"],
    async run(execute, { recipient, output, ...user }) {
      const encrypter = encrypterTo(String(recipient));
      const open = () => execute(user as Parameters<typeof execute>[0]);
      const { externalUserId } = await writeExport(String(output), encrypter, open);
      return { document: { externalUserId }, text: `The export of ${externalUserId} is complete.` };
    },
  },
} satisfies NounDetails<"users">;

type Store = (users: ImportedUser[]) => Promise<ImportOutcome[]>;

/** The result of an import so far. */
interface Imported {
  platformId: string;
  lines: number;
  created: number;
  unchanged: number;
  refused: RefusedLine[];
}

const taken = {
  rule: "taken",
  message:
    "Another user has this value, or this user has another value. Correct the line, or relink the user.",
};

/** Imports a batch. Its users stay imported if the command stops. */
async function importBatch(store: Store, imported: Imported, batch: readonly Line[]): Promise<void> {
  const valid = batch.flatMap((line) => ("user" in line ? [line] : []));
  const outcomes = valid.length > 0 ? await store(valid.map(({ user }) => user)) : [];
  imported.lines += batch.length;
  imported.refused.push(...batch.flatMap((line) => ("user" in line ? [] : line.refused)));
  for (const [index, result] of outcomes.entries()) {
    if (result.outcome !== "taken") imported[result.outcome] += 1;
    else imported.refused.push({ line: valid[index]?.line ?? 0, field: result.field, ...taken });
  }
}

/** The result of an import, with every refused line by its number. The command fails if a line was refused. */
function importReport(document: Imported, width?: number): Report {
  const { created, unchanged, refused } = document;
  refused.sort((a, b) => a.line - b.line);
  const lines = new Set(refused.map(({ line }) => line)).size;
  const counts = `${created} users were imported, ${unchanged} existed already, ${lines} lines were refused.`;
  if (lines === 0) return { document, text: counts };
  const table = formatTable(refused.slice(0, maxShown), "line field rule message", width);
  const more = refused.length > maxShown ? `\n… and ${refused.length - maxShown} more; --json has all.` : "";
  const problem = "Correct the refused lines and import the file again: imported users stay unchanged.";
  return { document, text: `${counts}\n\n${table}${more}`, problem };
}
