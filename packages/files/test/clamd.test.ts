import { join } from "node:path";
import { expect, it } from "vitest";
import { createClamdScan, createFileInspector } from "../src/index.ts";
import { fakeClamd } from "./support/clamd.ts";
import { freshFolder } from "./support/folder.ts";
import { picture } from "./support/pictures.ts";
import { ruleOf } from "./support/refusal.ts";

const large = Buffer.alloc(300_000, "file");
const scanAt = (url: string, timeoutMs = 60_000) => createClamdScan({ url, timeoutMs });

it("sends the whole file, and takes it when clamd calls it clean", async () => {
  const clamd = await fakeClamd(() => "stream: OK\0");
  expect(await ruleOf(scanAt(clamd.url)(large))).toBe("taken");
  expect(clamd.files).toHaveLength(1);
  expect(Buffer.compare(clamd.files[0] ?? Buffer.alloc(0), large)).toBe(0);
});

it("speaks to a socket of the file system too", async () => {
  const clamd = await fakeClamd(() => "stream: OK\0", join(await freshFolder(), "socket"));
  expect(await ruleOf(scanAt(clamd.url)(large))).toBe("taken");
});

it("takes an answer that comes in pieces", async () => {
  const clamd = await fakeClamd((_, socket) => {
    socket.write("stream: ");
    setTimeout(() => socket.end("OK\0"), 20);
    return undefined;
  });
  expect(await ruleOf(scanAt(clamd.url)(large))).toBe("taken");
});

it("refuses an infected file, before it is decoded", async () => {
  const clamd = await fakeClamd(() => "stream: Eicar-Test-Signature FOUND\0");
  const inspector = createFileInspector({ scan: scanAt(clamd.url) });
  const uploaded = (await picture().jpeg().toBuffer()).subarray(0, 300);
  expect(await ruleOf(inspector.inspect(uploaded, "selfie"))).toBe("file-infected");
  expect(clamd.files[0]?.equals(uploaded)).toBe(true);
});

const odd: [string, string][] = [
  ["an error", "INSTREAM size limit exceeded. ERROR\0"],
  ["nothing", ""],
  ["half an answer", "stream: OK"],
  ["an answer to something else", "PONG\0"],
  ["more than an answer", `${"stream: OK ".repeat(1_000)}`],
];

it.each(odd)("takes no file for clean on %s", async (_, answer) => {
  const clamd = await fakeClamd(() => answer);
  expect(await ruleOf(scanAt(clamd.url)(large))).toBe("SERVICE_UNAVAILABLE");
});

it("takes no file for clean when nobody answers in time, or listens", async () => {
  const clamd = await fakeClamd(() => undefined);
  expect(await ruleOf(scanAt(clamd.url, 50)(large))).toBe("SERVICE_UNAVAILABLE");
  expect(await ruleOf(scanAt("tcp://127.0.0.1:1")(large))).toBe("SERVICE_UNAVAILABLE");
  expect(await ruleOf(scanAt("unix:/nowhere/socket")(large))).toBe("SERVICE_UNAVAILABLE");
});

it.each(["http://host:3310", "tcp://host", "unix:socket", "host:3310", ""])(
  "does not accept %j as a url",
  (url) => {
    expect(() => scanAt(url)).toThrow(TypeError);
  },
);
