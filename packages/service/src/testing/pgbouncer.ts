import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface PgBouncer {
  /** The URL of the same role and database through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** True when the program is installed. Debian installs it outside the path of ordinary users. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore", env: environment });
    return true;
  } catch {
    return false;
  }
}

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/**
 * Starts PgBouncer in transaction mode, with its defaults in everything else. It listens on a socket in a temporary
 * folder only, so no other process can take its address.
 * @param urls the server's roles, which sign in at the pooler with the same passwords.
 * @throws Error when it does not start.
 */
export async function startPgBouncer(
  urls: readonly string[],
  settings: readonly string[] = [],
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  const servers = urls.map((url) => new URL(url));
  const file = join(folder, "pgbouncer.ini");
  const users = servers.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"`);
  await writeFile(join(folder, "users.txt"), `${users.join("\n")}\n`);
  await writeFile(
    file,
    [
      "[databases]",
      `* = host=${servers[0]?.hostname} port=${servers[0]?.port}`,
      "[pgbouncer]",
      "listen_addr =",
      `unix_socket_dir = ${folder}`,
      "auth_type = scram-sha-256",
      `auth_file = ${join(folder, "users.txt")}`,
      "pool_mode = transaction",
      // PgBouncer refuses to run as root.
      ...(process.getuid?.() === 0 ? ["user = nobody"] : []),
      ...settings,
      "",
    ].join("\n"),
  );
  await chmod(folder, 0o777);
  const child = spawn("pgbouncer", [file], { stdio: ["ignore", "ignore", "pipe"], env: environment });
  await untilListening(child);
  return {
    through: (url) => {
      const { username, password, pathname } = new URL(url);
      return `postgres://${username}:${password}@localhost${pathname}?host=${folder}&port=6432&sslmode=disable`;
    },
    stop: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(child: ChildProcess): Promise<void> {
  if (!child.stderr) throw new Error("PgBouncer has no log.");
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    if (line.includes("process up")) {
      child.stderr.resume();
      return;
    }
  }
  throw new Error(`PgBouncer did not start:\n${lines.join("\n")}`);
}
