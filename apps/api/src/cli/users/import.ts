import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Actor, ImportedUser, ImportOutcome } from "@cardbridge/domain";
import { type Database, importUsers, type Keys, platformsRepository } from "@cardbridge/store";
import { ids } from "../../composition/ids.ts";
import { CannotBeDone } from "../../operations/by-hand.ts";
import { inBatches } from "./in-batches.ts";
import { type Line, readUsers } from "./read-users.ts";

/** What is wrong with a line; never what stands in it. */
interface Refused {
  line: number;
  field: string | null;
  rule: string;
  message: string;
}

export interface Imported {
  platformId: string;
  lines: number;
  created: number;
  unchanged: number;
  refused: Refused[];
}

interface Order {
  /** A path, or `-` for standard input. */
  file: string;
  platformId: string;
  by: Actor;
  onProgress(done: Imported): void;
}

const batch = 200;

/**
 * Imports the users of a file, batch by batch: what is in stays in, and the same file may be given again.
 * @throws CannotBeDone where there is no such file or platform.
 */
export async function importFile(
  database: Database,
  keys: Keys,
  { file, platformId, by, onProgress }: Order,
): Promise<Imported> {
  if (!(await platformsRepository(database).exists(platformId)))
    throw new CannotBeDone("There is no such platform.");
  const done: Imported = { platformId, lines: 0, created: 0, unchanged: 0, refused: [] };
  for await (const lines of inBatches(readUsers(await openFile(file)), batch)) {
    const readable = lines.flatMap((line) => ("user" in line ? [line] : []));
    const newcomers = readable.map(({ user }) => ({ ...user, mintedId: ids.externalUserId() }));
    const outcomes = await importUsers(database, keys, platformId, newcomers, by);
    done.lines += lines.length;
    done.created += outcomes.filter((outcome) => outcome === "created").length;
    done.unchanged += outcomes.filter((outcome) => outcome === "unchanged").length;
    const taken = readable.flatMap(({ line }, index) => refusedAsTaken(line, outcomes[index]));
    done.refused.push(...lines.flatMap(refusedAsWrong), ...taken);
    onProgress(done);
  }
  done.refused.sort((a, b) => a.line - b.line);
  return done;
}

async function openFile(file: string): Promise<Readable> {
  if (file === "-") return process.stdin;
  const cannot = new CannotBeDone(`The file ${file} cannot be read.`);
  const handle = await open(file).catch(() => Promise.reject(cannot));
  if ((await handle.stat()).isDirectory()) throw cannot;
  return handle.createReadStream();
}

function refusedAsWrong(line: Line): Refused[] {
  if ("user" in line) return [];
  return line.violations.map(({ path: [field], rule, message }) => ({
    line: line.line,
    field: field === undefined ? null : String(field),
    rule,
    message,
  }));
}

const takenWords: Record<keyof ImportedUser, string> = {
  memberId: "A user with this member id has another e-mail. Correct the line, or relink the user.",
  email: "A user with this e-mail has another member id. Correct the line, or relink the user.",
  externalUserId: "This id is another user's, or this user has another one. Correct the line.",
};

function refusedAsTaken(line: number, outcome: ImportOutcome | undefined): Refused[] {
  if (typeof outcome !== "object") return [];
  return [{ line, field: outcome.taken, rule: "taken", message: takenWords[outcome.taken] }];
}
