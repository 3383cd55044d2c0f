import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Account } from "./account.ts";

const draftPrefix = "initialising-";

/**
 * Creates a cluster in `data` unless it exists. initdb writes to a temporary folder, which is renamed when it is
 * complete, so an interrupted initdb leaves no cluster that a start could use.
 * @throws Error with the message of initdb.
 */
export async function createCluster(
  data: string,
  {
    account,
    initdb,
    password,
    durable,
  }: { account: Account; initdb: string; password: string; durable: boolean },
): Promise<void> {
  if (await exists(data)) return;
  const draft = await mkdtemp(join(dirname(data), draftPrefix));
  try {
    const passwordFile = join(draft, "password");
    await writeFile(passwordFile, password, { mode: 0o600 });
    await account.makeFolder(draft);
    await account.allowRead(passwordFile);
    const target = join(draft, basename(data));
    await account.makeFolder(target);
    const options = ["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
    const quiet = ["--no-instructions", ...(durable ? [] : ["--no-sync"])];
    await run(account, initdb, ["-D", target, `--pwfile=${passwordFile}`, ...options, ...quiet]);
    await rename(target, data);
  } catch (error) {
    // Another start may have created the cluster first; this start uses it.
    if (!(await exists(data))) throw error;
  } finally {
    await removeDraft(draft);
  }
}

/** Removes the drafts of interrupted starts. The caller owns the folder, so no other start is writing a draft. */
export async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder);
  const drafts = names.filter((name) => name.startsWith(draftPrefix));
  await Promise.all(drafts.map((name) => removeDraft(join(folder, name))));
}

/** Two starts may remove the same draft concurrently; the next start removes what remains. */
async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }).catch(() => {});
}

/** True when a complete cluster exists. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function run(account: Account, program: string, args: string[]): Promise<void> {
  const { file, args: all, options } = account.command(program, args);
  const child = spawn(file, all, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The database could not be initialised: ${stderr.trim()}`);
}
