import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { migrationsFolder } from "../../src/database/migration-status.ts";

/** A copy of the migrations with one more, for one test. */
export async function makeMigrationsFolder(tag: string, statements: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(migrationsFolder, folder, { recursive: true });
  const journalFile = join(folder, "meta", "_journal.json");
  const journal = JSON.parse(await readFile(journalFile, "utf8"));
  const [last] = journal.entries.slice(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag });
  await writeFile(journalFile, JSON.stringify(journal));
  await writeFile(join(folder, `${tag}.sql`), statements.join("\n--> statement-breakpoint\n"));
  return folder;
}
