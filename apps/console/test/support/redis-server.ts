import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";

/** The installed server, Valkey or Redis; undefined without one. */
export const redisProgram = ["valkey-server", "redis-server"].find(isInstalled);

function isInstalled(name: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Starts a server on a Unix socket. It writes each command to the folder, so a server after it has the same data. */
export function startRedis(program: string, socket: string, folder: string): ChildProcess {
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--dir", folder];
  return spawn(program, ["--port", "0", "--unixsocket", socket, "--save", "", ...durable], {
    stdio: "ignore",
  });
}

export async function killRedis(server: ChildProcess): Promise<void> {
  const ended = once(server, "exit");
  server.kill("SIGKILL");
  await ended;
}
