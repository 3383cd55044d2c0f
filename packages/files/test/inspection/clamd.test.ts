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

it("connects to a Unix socket", async () => {
  const clamd = await startFakeClamd(() => "stream: OK\0", join(await createTempFolder(), "socket"));
  expect(await outcomeOf(scanAt(clamd.url)(large))).toBe("accepted");
});

it("accepts a response in several chunks", async () => {
  const clamd = await startFakeClamd((_, socket) => {
    socket.write("stream: ");
    setTimeout(() => socket.end("OK\0"), 20);
    return undefined;
  });
  expect(await outcomeOf(scanAt(clamd.url)(large))).toBe("accepted");
});

it("rejects an infected file before it is decoded", async () => {
  const clamd = await startFakeClamd(() => "stream: Eicar-Test-Signature FOUND\0");
  const inspector = createFileInspector({ scan: scanAt(clamd.url) });
  const uploaded = (await testImage().jpeg().toBuffer()).subarray(0, 300);
  expect(await outcomeOf(inspector.inspect(uploaded, "selfie", "plt_one"))).toBe("file-infected");
  expect(clamd.files[0]?.equals(uploaded)).toBe(true);
});

const invalidResponses: [string, string][] = [
  ["an error", "INSTREAM size limit exceeded. ERROR\0"],
  ["an empty response", ""],
  ["a truncated response", "stream: OK"],
  ["a response to another command", "PONG\0"],
  ["a response that is too long", `${"stream: OK ".repeat(1_000)}`],
];

it.each(invalidResponses)("does not accept a file on %s", async (_, answer) => {
  const clamd = await startFakeClamd(() => answer);
  expect(await outcomeOf(scanAt(clamd.url)(large))).toBe("SERVICE_UNAVAILABLE");
});

it("names the reason of a scan that fails, without clamd's text", async () => {
  const reasonAt = (url: string, timeoutMs?: number) =>
    scanAt(url, timeoutMs)(large).then(() => "none", reasonOf);
  expect(await reasonAt((await startFakeClamd(() => "/tmp/ada.pdf ERROR\0")).url)).toBe("not-scanned");
  expect(await reasonAt((await startFakeClamd(() => undefined)).url, 50)).toBe("timeout");
  expect(await reasonAt("tcp://127.0.0.1:1")).toBe("ECONNREFUSED");
});

it("does not accept a file on a timeout or without a connection", async () => {
  const clamd = await startFakeClamd(() => undefined);
  expect(await outcomeOf(scanAt(clamd.url, 50)(large))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(scanAt("tcp://127.0.0.1:1")(large))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(scanAt("unix:/nowhere/socket")(large))).toBe("SERVICE_UNAVAILABLE");
});

it.each(["http://host:3310", "tcp://host", "unix:socket", "host:3310", ""])("rejects the url %j", (url) => {
  expect(() => scanAt(url)).toThrow(TypeError);
});
