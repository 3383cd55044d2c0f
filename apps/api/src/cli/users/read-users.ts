import { pipeline, type Readable } from "node:stream";
import { type ImportedUser, importedUser, parseInput, type Violation } from "@cardbridge/domain";
import { type Info, parse } from "csv-parse";
import { CannotBeDone } from "../../operations/by-hand.ts";

/** A line of a file of users, by the number of its last one where it has several. */
export type Line = { line: number } & ({ user: ImportedUser } | { violations: Violation[] });

interface CsvRecord {
  record: string[];
  info: Info;
}

const columns = Object.keys(importedUser.shape);
/** Far more than all fields need: a quote that is never closed is found before the rest of the file is read. */
const maxLineLength = 16_384;

/**
 * Reads users from CSV with a header, in UTF-8, as it comes: lines that break a rule come with what to change.
 * @throws CannotBeDone where the header is no header of users.
 */
export async function* readUsers(file: Readable): AsyncGenerator<Line> {
  const noCsv = new Set<number>();
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxLineLength,
    // The error's own words would repeat the line.
    on_skip: (error) => void noCsv.add(Number(error?.lines)),
  });
  const records: AsyncIterable<CsvRecord> = pipeline(file, parser, () => {});
  let header: string[] | undefined;
  for await (const { record, info } of records) {
    if (header) yield { line: info.lines, ...readUser(header, record) };
    else header = checkHeader(record);
  }
  if (!header) throw new CannotBeDone(`The file is empty. ${wanted}`);
  for (const line of noCsv) yield { line, violations: [unreadable] };
}

const wanted = `Its first line has to be: ${columns.join(",")} – the last one only where the provider knows the users.`;
const unreadable: Violation = {
  path: [],
  rule: "csv",
  message:
    "This is no CSV: look at the quotes. One that is not closed keeps the lines after it from being read.",
};

function checkHeader(header: string[]): string[] {
  const isKnown = header.every((name, index) => columns.includes(name) && header.indexOf(name) === index);
  const isWhole = header.includes("memberId") && header.includes("email");
  if (isKnown && isWhole) return header;
  // What is no header may be somebody's line.
  throw new CannotBeDone(`The file's header is not understood. ${wanted}`);
}

function readUser(header: string[], record: string[]): { user: ImportedUser } | { violations: Violation[] } {
  if (record.length !== header.length) {
    const message = `Give the line ${header.length} fields, as the header has.`;
    return { violations: [{ path: [], rule: "columns", message }] };
  }
  if (record.some((value) => value.includes("\ufffd"))) {
    return { violations: [{ path: [], rule: "encoding", message: "Save the file in UTF-8." }] };
  }
  const given = header.map((name, index) => [name, record[index]]).filter(([, value]) => value !== "");
  const parsed = parseInput(importedUser, [], Object.fromEntries(given));
  return parsed.ok ? { user: parsed.value } : { violations: parsed.violations };
}
