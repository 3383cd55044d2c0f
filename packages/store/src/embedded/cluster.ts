import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Account } from "./account.ts";

const draftPrefix = "initialising-";

/**
 * Makes a cluster in `data` unless there is one. It is made in a folder beside it and renamed when complete,
 * so that one which was interrupted is never used.
 * @throws Error with what initdb said.
 */
export async function makeCluster(
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
    await account.hand(passwordFile);
    const target = join(draft, basename(data));
    await account.makeFolder(target);
    const options = ["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
    const quiet = ["--no-instructions", ...(durable ? [] : ["--no-sync"])];
    await run(account, initdb, ["-D", target, `--pwfile=${passwordFile}`, ...options, ...quiet]);
    await rename(target, data);
  } catch (error) {
    // Another start may have been faster; its cluster serves as well.
    if (!(await exists(data))) throw error;
  } finally {
    await discard(draft);
  }
}

/** Removes what interrupted starts left. Only for whoever owns the folder: another start may be at work. */
export async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder);
  const drafts = names.filter((name) => name.startsWith(draftPrefix));
  await Promise.all(drafts.map((name) => discard(join(folder, name))));
}

/** Two starts may remove one draft at the same time; what stays goes with the next start. */
async function discard(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }).catch(() => {});
}

/** True when there is a cluster, whole. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function run(account: Account, program: string, args: string[]): Promise<void> {
  const { file, args: all, options } = account.command(program, args);
  const child = spawn(file, all, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The database could not be initialised: ${said.trim()}`);
}
