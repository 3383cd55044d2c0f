import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable, Writable } from "node:stream";

/** What a command reads and writes beside its arguments. A process has all of it. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  /** A terminal has a width. */
  readonly stdout: Writable & { columns?: number };
  readonly stderr: Writable & { columns?: number; isTTY?: boolean };
}

const current = new AsyncLocalStorage<CommandContext>();

/** Runs a command; everything that it calls finds this context. */
export const withCommandContext = <T>(context: CommandContext, run: () => Promise<T>): Promise<T> =>
  current.run(context, run);

/** The context of the running command; the process's own outside of one. */
export const commandContext = (): CommandContext => current.getStore() ?? process;
