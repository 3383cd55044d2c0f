import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable, Writable } from "node:stream";

/** What a command reads and writes beside its arguments. A process has all of it. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  /** A terminal has a width. */
  readonly stdout: Writable & { columns?: number };
  readonly stderr: Writable & { columns?: number; isTTY?: boolean };
}

const current = new AsyncLocalStorage<Surroundings>();

/** Runs a command; everything that it calls finds these surroundings. */
export const withSurroundings = <T>(surroundings: Surroundings, run: () => Promise<T>): Promise<T> =>
  current.run(surroundings, run);

/** The surroundings of the running command; the process's own outside of one. */
export const surroundings = (): Surroundings => current.getStore() ?? process;
