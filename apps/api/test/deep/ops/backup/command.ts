import { onTestFinished } from "vitest";
import { startProgram } from "../../machines/servers/account.ts";
import { opsPath } from "../ops-files.ts";

/** Starts `cardbridge-backup`, as the account of the servers. It is killed after the test. */
export function startCommand(step: string, settings: Record<string, string>) {
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const process = startProgram("env", [...pairs, opsPath("backup/cardbridge-backup"), step]);
  onTestFinished(process.kill);
  return process;
}

/** Runs `cardbridge-backup` to its end. */
export async function runCommand(step: string, settings: Record<string, string>) {
  const { child, output, ended } = startCommand(step, settings);
  await ended;
  return { code: child.exitCode, output: output() };
}
