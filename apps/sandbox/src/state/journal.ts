import * as fs from "node:fs";
import { join } from "node:path";
import { type Entry, entrySchema } from "./entries.ts";

export interface Journal {
  /** The entries of the file when it was opened, in order. */
  readonly entries: readonly Entry[];
  /** Writes an entry to the disk before it returns. On failure it removes the partial entry and throws. */
  append(entry: Entry): void;
  close(): void;
}

/**
 * Opens `journal.jsonl` in a folder and creates both if missing. Writes are synchronous: they keep their order, and
 * every response is sent after its entry is on disk.
 *
 * A last line without a newline was never acknowledged, so it is removed.
 * @throws Error with the line number when any other line cannot be read
 */
export function openJournal(folder: string): Journal {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "journal.jsonl");
  const file = fs.openSync(path, "a+", 0o600);
  try {
    fs.fchmodSync(file, 0o600);
    syncFolder(folder);

    const bytes = fs.readFileSync(file);
    let size = bytes.lastIndexOf("\n") + 1;
    if (size < bytes.length) truncate(file, size);
    const entries = read(path, bytes.subarray(0, size));

    return {
      entries,
      append(entry) {
        const line = Buffer.from(`${JSON.stringify(entry)}\n`);
        try {
          fs.writeFileSync(file, line);
          fs.fsyncSync(file);
        } catch (error) {
          truncate(file, size);
          throw error;
        }
        size += line.length;
      },
      close: () => fs.closeSync(file),
    };
  } catch (error) {
    fs.closeSync(file);
    throw error;
  }
}

function read(path: string, bytes: Buffer): Entry[] {
  const lines = bytes.toString().split("\n").slice(0, -1);
  return lines.map((line, index) => {
    try {
      return entrySchema.parse(JSON.parse(line));
    } catch (cause) {
      throw new Error(`${path}: line ${index + 1} is corrupt; repair or remove the file.`, { cause });
    }
  });
}

function truncate(file: number, size: number): void {
  fs.ftruncateSync(file, size);
  fs.fsyncSync(file);
}

function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, "r");
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}
