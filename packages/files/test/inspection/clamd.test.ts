import type { Socket } from "node:net";
import { join } from "node:path";
import { reasonOf } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createClamdScan, createFileInspector } from "../../src/index.ts";
import { startFakeClamd } from "../support/clamd.ts";
import { createTempFolder } from "../support/folder.ts";
import { testImage } from "../support/images.ts";
import { outcomeOf } from "../support/outcome.ts";

const large = Buffer.alloc(300_000, "file");
const scanAt = (url: string, timeoutMs = 60_000) => createClamdScan({ url, timeoutMs });

it("sends the complete file and accepts it when clamd reports it clean", async () => {
  const clamd = await startFakeClamd(() => "stream: OK\0");
  expect(await outcomeOf(scanAt(clamd.url)(large))).toBe("accepted");
  expect(clamd.files).toHaveLength(1);
  expect(Buffer.compare(clamd.files[0] ?? Buffer.alloc(0), large)).toBe(0);
});

it("connects to a Unix socket, and accepts a response in several chunks", async () => {
  const answerInParts = (_: Buffer, socket: Socket) => {
    socket.write("stream: ", () => socket.end("OK\0"));
    return undefined;
  };
  const clamd = await startFakeClamd(answerInParts, join(await createTempFolder(), "socket"));
  expect(await outcomeOf(scanAt(clamd.url)(large))).toBe("accepted");
});

it("rejects an infected file before it is decoded", async () => {
  const clamd = await startFakeClamd(() => "stream: Eicar-Test-Signature FOUND\0");
  const inspector = createFileInspector({ scan: scanAt(clamd.url) });
  const uploaded = (await testImage().jpeg().toBuffer()).subarray(0, 300);
  expect(await outcomeOf(inspector.inspect(uploaded, "selfie", "plt_one"))).toBe("file-infected");
  expect(clamd.files[0]?.equals(uploaded)).toBe(true);
});

it.each([
  ["an error", "stream: /tmp/ada.pdf size limit exceeded. ERROR\0"],
  ["an empty response", ""],
  ["a truncated response", "stream: OK"],
  ["a response to another command", "PONG\0"],
  ["a response that is too long", `${"stream: OK ".repeat(1_000)}`],
])("does not accept a file on %s, and quotes nothing of it", async (_, answer) => {
  const scan = scanAt((await startFakeClamd(() => answer)).url)(large);
  expect(await scan.then(() => "none", reasonOf)).toMatch(/^(not-scanned|no-response)$/);
  expect(await outcomeOf(scan)).toBe("SERVICE_UNAVAILABLE");
});

it("does not accept a file on a timeout or without a connection, and names the reason", async () => {
  const silent = await startFakeClamd(() => undefined);
  for (const [url, reason] of [
    [silent.url, "timeout"],
    ["tcp://127.0.0.1:1", "ECONNREFUSED"],
    ["unix:/nowhere/socket", "ENOENT"],
  ] as const) {
    const scan = scanAt(url, 50)(large);
    expect(await scan.then(() => "none", reasonOf)).toBe(reason);
    expect(await outcomeOf(scan)).toBe("SERVICE_UNAVAILABLE");
  }
});

it.each(["http://host:3310", "tcp://host", "unix:socket", "host:3310", ""])("rejects the url %j", (url) => {
  expect(() => scanAt(url)).toThrow(TypeError);
});
