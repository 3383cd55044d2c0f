import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Account, findAccount } from "@cardbridge/postgres";
import { onTestFinished } from "vitest";
import { killGroup } from "../../../support/with-test.ts";
import { programPath } from "../programs.ts";
import type { Disk } from "./disk.ts";

let found: Account | undefined;

/** The user of every server of a drill: PostgreSQL and PgBouncer do not run as root. */
function account(): Account {
  found ??= findAccount(programPath("postgres"));
  return found;
}

/** Creates a folder that only the user of the servers may enter, and removes it after the test. */
export async function makeServerFolder(): Promise<string> {
  const folder = await mkdtemp(join(process.env.CARDBRIDGE_TEST_DATABASES ?? tmpdir(), "drill-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await account().makeFolder(folder);
  return folder;
}

/** Writes a file that a server reads. */
export async function writeServerFile(path: string, content: string): Promise<void> {
  await writeFile(path, content);
  await account().allowRead(path);
}

/** The command of a program, on a disk of its own if there is one. */
function commandOf(program: string, args: string[], disk: Pick<Disk, "enter"> = { enter: [] }) {
  const { file, args: all, options } = account().command(programPath(program), args);
  return { line: [...disk.enter, file, ...all], options };
}

export interface ServerProcess {
  child: ChildProcess;
  /** Everything that it wrote. */
  output(): string;
  /** Ends it as `kill -9` does, also while it is stopped by a signal. */
  kill(): Promise<void>;
  /** Resolves when it has ended. */
  ended: Promise<unknown>;
}

/** Starts a server of a drill. The caller kills it after the test, after whatever uses it. */
export function startProgram(program: string, args: string[], disk?: Pick<Disk, "enter">): ServerProcess {
  const { line, options } = commandOf(program, args, disk);
  const child = spawn("env", line, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  const ended = once(child, "exit");
  const kill = async () => {
    killGroup(child.pid);
    await ended;
  };
  return { child, output: () => output, kill, ended };
}

/**
 * Runs a program of a server to its end.
 * @throws Error with its output if it fails.
 */
export async function runProgram(program: string, args: string[], disk?: Pick<Disk, "enter">): Promise<void> {
  const { line, options } = commandOf(program, args, disk);
  const child = spawn("env", line, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const [stderr, [code]] = await Promise.all([child.stderr ? text(child.stderr) : "", once(child, "close")]);
  if (code !== 0) throw new Error(`${program} ${args[0]} failed: ${stderr.trim()}`);
}
