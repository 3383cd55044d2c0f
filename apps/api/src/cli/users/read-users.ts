import { pipeline, type Readable } from "node:stream";
import { type ImportedUser, importedUser, parseInput, type Violation } from "@cardbridge/domain";
import { type Info, parse } from "csv-parse";
import { CommandError } from "../command-error.ts";

/** A record of the file, by the number of its last line. */
export type Line = { line: number } & ParsedUser;

type ParsedUser = { user: ImportedUser } | { violations: Violation[] };

interface CsvRecord {
  record: string[];
  info: Info;
}

const columns = Object.keys(importedUser.shape);
/** Far longer than all fields: limits how much of the file a quote that is never closed can hide. */
const maxLineLength = 16_384;

/**
 * Reads users from CSV with a header, in UTF-8, as a stream. A line that breaks a rule comes with its violations.
 * @throws CommandError where the header is missing or wrong.
 */
export async function* readUsers(file: Readable): AsyncGenerator<Line> {
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
  const records: AsyncIterable<CsvRecord> = pipeline(file, parser, () => {});
  let header: string[] | undefined;
  for await (const { record, info } of records) {
    if (header) yield { line: info.lines, ...parseUser(header, record) };
    else header = checkHeader(record);
  }
  if (!header) throw new CommandError(`The file is empty. ${expectedHeader}`);
  for (const line of malformedLines) yield { line, violations: [malformed] };
}

const expectedHeader = `Its first line has to be: ${columns.join(",")} – the last column only where the provider knows the users.`;
const malformed: Violation = {
  path: [],
  rule: "csv",
  message: "This is not valid CSV: check the quotes. A quote that is not closed hides the lines after it.",
};

function checkHeader(header: string[]): string[] {
  const isKnown = header.every((name, index) => columns.includes(name) && header.indexOf(name) === index);
  const isComplete = header.includes("memberId") && header.includes("email");
  if (isKnown && isComplete) return header;
  // The message does not quote the line: without a header, it holds somebody's data.
  throw new CommandError(`The file's header is not understood. ${expectedHeader}`);
}

function parseUser(header: string[], record: string[]): ParsedUser {
  if (record.length !== header.length) {
    const message = `Give the line ${header.length} fields, as the header has.`;
    return { violations: [{ path: [], rule: "columns", message }] };
  }
  if (record.some((value) => value.includes("\ufffd"))) {
    return { violations: [{ path: [], rule: "encoding", message: "Save the file in UTF-8." }] };
  }
  const fields = header.map((name, index) => [name, record[index]]).filter(([, value]) => value !== "");
  const parsed = parseInput(importedUser, [], Object.fromEntries(fields));
  return parsed.ok ? { user: parsed.value } : { violations: parsed.violations };
}
