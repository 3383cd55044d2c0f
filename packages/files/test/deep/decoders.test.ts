import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, expect, inject, it } from "vitest";
import { createDecoders, type Decoders, type DecodersOptions } from "../../src/inspection/decoders.ts";
import { bundleInto } from "../support/bundle.ts";
import { createTempFolder } from "../support/folder.ts";
import { testImage } from "../support/images.ts";
import { outcomeOf } from "../support/outcome.ts";
import { buildPdf } from "../support/pdfs.ts";
import { createTracedDecoder } from "../support/traced-decoder.ts";
import { jpegWithScans } from "../support/worst-images.ts";

let photo: Buffer;
beforeAll(async () => {
  photo = await testImage().jpeg().toBuffer();
});

const open: Decoders[] = [];
afterEach(() => {
  for (const decoders of open.splice(0)) decoders.close();
});

/** Creates one decoder process and returns functions that decode a file and return its outcome. */
function decoder(options: DecodersOptions = {}) {
  const program = new URL(inject("decoder"));
  // The memory of a process depends on the machine: none is replaced for it, so that tests can count processes.
  const decoders = createDecoders({ processes: 1, program, recycleMb: 1_000, ...options });
  open.push(decoders);
  return {
    image: (bytes: Buffer) => outcomeOf(decoders.decode("jpeg", bytes)),
    pdf: (bytes: Buffer) => outcomeOf(decoders.decode("pdf", bytes)),
    close: decoders.close,
  };
}

/** A JPEG whose coefficients need 120 MB. */
const large = () => jpegWithScans(4_472, 1);

it("kills a process at its memory limit, and decodes the next file in a new process", async () => {
  const { program, processes } = await createTracedDecoder();
  const { image } = decoder({ program, memoryMb: 100 });
  expect([await image(photo), await image(photo)]).toEqual(["accepted", "accepted"]);
  expect(processes).toHaveLength(1);
  expect([await image(large()), await image(photo)]).toEqual(["file-too-complex", "accepted"]);
  await expect.poll(() => processes.map(({ ended }) => ended)).toEqual([true, false]);
});

it("kills a process at its CPU limit", async () => {
  const { image, pdf } = decoder({ cpuMs: 1 });
  expect([await image(large()), await pdf(buildPdf())]).toEqual(["file-too-complex", "pdf-too-complex"]);
});

it.each([
  ["exits", "process.exit(1)"],
  ["crashes", 'process.on("message", () => process.kill(process.pid, "SIGSEGV"))'],
  ["hangs", 'process.on("message", () => { for (;;); })'],
  ["fails unexpectedly", 'process.on("message", () => process.send({ failed: "TypeError" }))'],
])("rejects with SERVICE_UNAVAILABLE if the process %s", async (_, code) => {
  const file = join(await createTempFolder(), "broken.mjs");
  await writeFile(file, code);
  const { image } = decoder({ program: pathToFileURL(file), timeoutMs: code.includes("for") ? 300 : 60_000 });
  expect([await image(photo), await image(photo)]).toEqual(["SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"]);
});

it("replaces a process that ended while it was idle", async () => {
  const { program, processes } = await createTracedDecoder();
  const { image } = decoder({ program });
  expect(await image(photo)).toBe("accepted");
  process.kill(processes[0]?.pid ?? 0, "SIGKILL");
  await expect.poll(() => processes[0]?.ended).toBe(true);
  await expect.poll(() => image(photo)).toBe("accepted");
  expect(processes).toHaveLength(2);
});

it("ignores signals to the process group, and ends a decoder on close", async () => {
  const { program, processes } = await createTracedDecoder();
  const { image, close } = decoder({ program });
  expect(await image(photo)).toBe("accepted");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(processes[0]?.pid ?? 0, signal);
  expect([await image(photo), processes.length]).toEqual(["accepted", 1]);
  close();
  await expect.poll(() => processes[0]?.ended).toBe(true);
});

it("rejects a file in progress when the decoders are closed", async () => {
  const { program, processes } = await createTracedDecoder();
  const { image, close } = decoder({ program });
  const outcome = image(photo);
  await expect.poll(() => processes).toHaveLength(1);
  close();
  // The file may have been decoded before.
  expect(["SERVICE_UNAVAILABLE", "accepted"]).toContain(await outcome);
  await expect.poll(() => processes[0]?.ended).toBe(true);
  expect([await image(photo), processes.length]).toEqual(["SERVICE_UNAVAILABLE", 1]);
});

it("ends a decoder in a native call when the service is killed", async () => {
  const folder = await createTempFolder();
  const { program, processes } = await createTracedDecoder({ nativeCall: true });
  await bundleInto(folder, { main: "test/support/inspect-until-killed.ts" });
  await writeFile(join(folder, "photo.jpg"), photo);
  const service = spawn(process.execPath, [join(folder, "main.js"), program.href, join(folder, "photo.jpg")]);
  const ended = once(service, "close");
  await expect.poll(() => processes.map((traced) => traced.ended)).toEqual([false]);
  service.kill("SIGKILL");
  await ended;
  await expect.poll(() => processes.map((traced) => traced.ended)).toEqual([true]);
});
