import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Cluster } from "../faults/cluster/cluster.ts";

const shell = promisify(execFile);

/* Outputs of processes that other programs can read, as text. */

/** The database's own output: the statements of its connections, and its log. */
export async function readDatabaseWords({ query }: Pick<Cluster, "query">): Promise<string> {
  const connections = await query("select * from pg_stat_activity");
  const [data] = await query<{ data_directory: string }>("show data_directory");
  const log = await readFile(join(dirname(data?.data_directory ?? ""), "postgres.log"), "utf8");
  return `${JSON.stringify(connections)}\n${log}`;
}

/** The command lines of all processes, and the environments of these processes and their children. */
export async function readProcesses(pids: readonly (number | undefined)[]): Promise<string> {
  if (!existsSync("/proc/self/cmdline")) return (await shell("ps", ["-AEww", "-o", "command"])).stdout;
  const read = (pid: string, name: string) => readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "");
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const parents = new Map<string, string>();
  for (const pid of all) parents.set(pid, /\nPPid:\t(\d+)/.exec(await read(pid, "status"))?.[1] ?? "");
  const isOurs = (pid: string): boolean =>
    pids.includes(Number(pid)) || (parents.has(pid) && isOurs(parents.get(pid) ?? ""));
  const commands = await Promise.all(all.map((pid) => read(pid, "cmdline")));
  const environments = await Promise.all(all.filter(isOurs).map((pid) => read(pid, "environ")));
  return [...commands, ...environments].join("\n").replaceAll("\u0000", " ");
}
