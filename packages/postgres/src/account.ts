import { type SpawnOptions, spawnSync } from "node:child_process";
import { chown, mkdir } from "node:fs/promises";

/** How this machine runs PostgreSQL's programs, which do not run as root. */
export interface Account {
  /** Returns the command to spawn. Where the system supports it, the program receives SIGINT when its parent dies. */
  command(program: string, args: string[]): Command;
  /** Creates a folder that only this account and root may enter. */
  makeFolder(path: string): Promise<void>;
  /** Allows the programs to read a file that this process wrote. */
  allowRead(path: string): Promise<void>;
}

interface Command {
  file: string;
  args: string[];
  options: SpawnOptions;
}

const nobody = 65_534;
const asNobody = { uid: nobody, gid: nobody };
const inNamespace = ["unshare", "-U", `--map-user=${nobody}`, `--map-group=${nobody}`];
const untilParentDies = ["setpriv", "--pdeathsig", "INT"];
const dropRoot = [
  "setpriv",
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  "--clear-groups",
  "--pdeathsig",
  "INT",
];

/**
 * Determines how this user can run PostgreSQL on this machine.
 * @throws Error with instructions when there is no way.
 */
export function findAccount(postgres: string): Account {
  const isRoot = process.getuid?.() === 0;
  const hasSetpriv = works([...untilParentDies, "true"]);
  if (!isRoot) return ownAccount(hasSetpriv ? untilParentDies : []);
  // In a user namespace PostgreSQL runs as an ordinary user, and root stays the owner of the files.
  if (works([...inNamespace, "true"]))
    return ownAccount([...inNamespace, ...(hasSetpriv ? untilParentDies : [])]);
  if (works([postgres, "--version"], asNobody)) return nobodysAccount(hasSetpriv);
  throw new Error(
    "PostgreSQL does not run as root, and here neither a user namespace (unshare -U) nor user 65534 can " +
      `run ${postgres}. Start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

function ownAccount(prefix: string[]): Account {
  return {
    command: (program, args) => toCommand([...prefix, program, ...args]),
    makeFolder: async (path) => {
      await mkdir(path, { recursive: true, mode: 0o700 });
    },
    allowRead: async () => {},
  };
}

function nobodysAccount(hasSetpriv: boolean): Account {
  return {
    command: (program, args) =>
      hasSetpriv ? toCommand([...dropRoot, program, ...args]) : toCommand([program, ...args], asNobody),
    makeFolder: async (path) => {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await chown(path, nobody, nobody);
      if (works(["test", "-w", path], asNobody)) return;
      throw new Error(
        `PostgreSQL runs as user 65534 here, which cannot reach ${path}. Set DATA_DIR to a folder under paths ` +
          "that are open to all users, start as an ordinary user, or set DATABASE_URL.",
      );
    },
    allowRead: (path) => chown(path, nobody, nobody),
  };
}

function toCommand(line: string[], identity: SpawnOptions = {}): Command {
  return { file: "env", args: ["LC_ALL=C", "TZ=UTC", ...line], options: { ...identity, cwd: "/" } };
}

function works(line: string[], identity: SpawnOptions = {}): boolean {
  const { file, args, options } = toCommand(line, identity);
  return spawnSync(file, args, { ...options, stdio: "ignore" }).status === 0;
}
