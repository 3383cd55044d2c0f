import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { type ImportedUser, importedUser, parseInput } from "@cardbridge/domain";
import { type Info, parse } from "csv-parse";
import { CommandError } from "./errors.ts";

/** A violation in a record, with the number of its last line and without its content. */
export type RefusedLine = { line: number; field: string | null; rule: string; message: string };

/** A record of the file: a user with the number of its last line, or its violations. */
export type Line = { line: number; user: ImportedUser } | { refused: RefusedLine[] };

const columns = Object.keys(importedUser.shape);
const expectedHeader = `Its first line must be: ${columns.join(",")} (the last column only for users that the provider already has).`;
/** Far longer than all fields. It limits the lines that an unclosed quote can hide. */
const maxLineLength = 16_384;

/**
 * Reads users from CSV with a header, in UTF-8, as a stream; `-` is standard input.
 * @throws CommandError if the file cannot be read, or its header is missing or wrong.
 */
export async function* readUsers(file: string, stdin: Readable): AsyncGenerator<Line> {
  const malformedLines = new Set<number>();
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxLineLength,
    // The message of the error quotes the line, so only its number is kept.
    on_skip: (error) => void malformedLines.add(Number(error?.lines)),
  });
  const source = file === "-" ? stdin : createReadStream(file);
  source.on("error", () => parser.destroy(new CommandError(`The file ${file} cannot be read.`)));
  const records: AsyncIterable<{ record: string[]; info: Info }> = pipeline(source, parser, () => {});
  let header: string[] | undefined;
  for await (const { record, info } of records) {
    if (header) yield parseUser(header, record, info.lines);
    else header = checkHeader(record);
  }
  if (!header) throw new CommandError(`The file is empty. ${expectedHeader}`);
  const malformed =
    "This is not valid CSV: check the quotes. A quote that is not closed hides further lines.";
  for (const line of malformedLines) yield refuse(line, "csv", malformed);
}

function checkHeader(header: string[]): string[] {
  const isKnown = header.every((name, index) => columns.includes(name) && header.indexOf(name) === index);
  if (isKnown && header.includes("memberId") && header.includes("email")) return header;
  // The message does not quote the line: without a header, it contains personal data.
  throw new CommandError(`The file's header is invalid. ${expectedHeader}`);
}

function parseUser(header: string[], record: string[], line: number): Line {
  if (record.length !== header.length)
    return refuse(line, "columns", `Give the line ${header.length} fields, as in the header.`);
  if (record.some((value) => value.includes("\ufffd")))
    return refuse(line, "encoding", "Save the file in UTF-8.");
  const fields = header.map((name, index) => [name, record[index]]).filter(([, value]) => value !== "");
  const parsed = parseInput(importedUser, [], Object.fromEntries(fields));
  if (parsed.ok) return { line, user: parsed.value };
  const refused = parsed.violations.map(({ path, ...rest }) => ({ line, field: String(path[0]), ...rest }));
  return { refused };
}

function refuse(line: number, rule: string, message: string): Line {
  return { refused: [{ line, field: null, rule, message }] };
}
