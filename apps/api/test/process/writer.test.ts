import { execFileSync } from "node:child_process";
import { constants, openSync, readSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWriter } from "../../src/process/writer.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-writer-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A system pipe: the read descriptor, and Node's stream on the write descriptor. */
function openPipe(name: string) {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  return { reader, stream: new Socket({ fd, readable: false, writable: true }) };
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

const line = (number: number) => `${String(number).padStart(6)} ${"x".repeat(1_000)}\n`;
const numbersOf = (text: string) => text.split("\n").map((one) => Number(one.slice(0, 6)));

it("buffers complete lines in order for a slow reader, and drops and counts the excess", async () => {
  const { reader, stream } = openPipe("slow");
  const writer = createWriter(stream);
  const written = 500;
  for (let number = 1; number <= written; number += 1) writer.write(line(number));
  const dropped = writer.dropped();
  expect(dropped).toBeGreaterThan(0);
  // The buffer is limited to the capacity of the pipe.
  expect(stream.writableLength).toBeLessThanOrEqual(65_536);

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
  stream.destroy();
});

it("drops and counts lines that cannot be written, and does not fail", async () => {
  // Like a file on a full disk.
  const writer = createWriter(
    new Writable({ write: (_chunk, _encoding, done) => done(new Error("ENOSPC")) }),
  );
  writer.write("lost\n");
  writer.write("lost too\n");
  await expect.poll(writer.dropped).toBe(2);
  await writer.flush(60_000);
});

it("waits for a reader only until its timeout", async () => {
  const writer = createWriter(new Writable({ write() {} }));
  writer.write("unread\n");
  await writer.flush(1);
  expect(writer.dropped()).toBe(0);
});
