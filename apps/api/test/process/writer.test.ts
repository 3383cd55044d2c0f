import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWriter } from "../../src/process/writer.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-writer-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A system pipe with two non-blocking ends. */
function openPipe(name: string) {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { path, reader, writer: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}

/** The current content of the pipe. */
function read(reader: number): string {
  const bytes = Buffer.alloc(1_048_576);
  try {
    return bytes.toString("utf8", 0, readSync(reader, bytes));
  } catch {
    return "";
  }
}

const line = (number: number, length = 1_000) => `${String(number).padStart(6)} ${"x".repeat(length)}\n`;
const numbersOf = (text: string) => text.split("\n").map((one) => Number(one.slice(0, 6)));

it("buffers complete lines in order for a slow reader, and drops and counts the excess", async () => {
  const { reader, writer: fd } = openPipe("slow");
  const writer = createWriter(fd);
  const written = 500;
  for (let number = 1; number <= written; number += 1) writer.write(line(number));
  const dropped = writer.dropped();
  expect(dropped).toBeGreaterThan(0);

  let text = "";
  let flushed = false;
  writer.flush(60_000).then(() => {
    flushed = true;
  });
  await expect
    .poll(() => {
      text += read(reader);
      return flushed;
    })
    .toBe(true);
  text += read(reader);
  const expected = Array.from({ length: written - dropped }, (_, index) => index + 1);
  expect(numbersOf(text.trimEnd())).toEqual(expected);
  expect(writer.dropped()).toBe(dropped);
});

it("drops lines that cannot be written, and starts a new line after a partial one", () => {
  const { path, reader, writer: fd } = openPipe("gone");
  const writer = createWriter(fd);
  // The system writes parts only of lines longer than 4 KB.
  for (let number = 1; number <= 12; number += 1) writer.write(line(number, 9_000));
  expect(writer.dropped()).toBe(0);
  const before = read(reader);
  expect(before.endsWith("\n")).toBe(false);
  closeSync(reader);
  writer.write("lost\n");
  const kept = before.split("\n").length - 1;
  expect(writer.dropped()).toBe(12 - kept + 1);

  const later = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  writer.write("first\n");
  writer.write("second\n");
  expect(read(later)).toBe("\nfirst\nsecond\n");
});
