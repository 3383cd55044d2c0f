import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { commandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";

/**
 * Opens a file for reading; `-` is standard input.
 * @throws CommandError where it cannot be read.
 */
export async function openFile(file: string): Promise<Readable> {
  if (file === "-") return commandContext().stdin;
  const unreadable = new CommandError(`The file ${file} cannot be read.`);
  const handle = await open(file).catch(() => Promise.reject(unreadable));
  if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
  await handle.close();
  throw unreadable;
}
