import { Failure } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createFormParser } from "../../../src/http/middleware/parse-form.ts";

const type = "multipart/form-data; boundary=b";
const disposition = (name: string, more = "") => `Content-Disposition: form-data; name="${name}"${more}`;
const part = (head: string, value = "") => `--b\r\n${head}\r\n\r\n${value}\r\n`;
const purpose = part(disposition("purpose"), "selfie");
const file = part(disposition("file", '; filename="a.jpg"'), "bytes");
const end = "--b--\r\n";

const parserOf = (contentType = type) => createFormParser(contentType, ["purpose", "file"], 1_000_000);

/** Writes chunks until one is rejected. Returns the fields or the failure, and the number of bytes that were read. */
async function parse(chunks: Iterable<string | Buffer>, contentType = type) {
  let read = 0;
  try {
    const form = parserOf(contentType);
    for (const chunk of chunks) {
      read += chunk.length;
      form.write(Buffer.from(chunk));
    }
    const { file: bytes, ...fields } = form.end();
    const content = bytes instanceof File ? { bytes: await bytes.text() } : bytes && { text: bytes };
    return { fields: { ...fields, ...content }, read };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const [violation] = error.details.violations ?? [];
    return { code: error.code, rule: violation?.rule, message: violation?.message, read };
  }
}
const whole = { purpose: "selfie", bytes: "bytes" };

describe("a form", () => {
  it.each([
    ["whole", [purpose + file + end]],
    ["byte by byte", (purpose + file + end).split("")],
    ["whose end arrives in two chunks", [purpose, file, "--b--", "\r\n"]],
    ["with bytes after its end", [purpose + file + end, "epilogue", "\r\n--b\r\n"]],
    ["without a last line break", [`${purpose}${file}--b--`]],
    ["with other fields", [part(disposition("x"), "y") + purpose + file + end]],
  ])("%s is parsed", async (_name, chunks) => {
    expect(await parse(chunks)).toMatchObject({ fields: whole });
  });

  it("takes a quoted boundary, and bytes that look like one", async () => {
    const boundary = "a b:c";
    const body = [purpose, file.replace("bytes", "\r\n--a b:\r\n-"), end]
      .join("")
      .replaceAll("--b", `--${boundary}`);
    expect(await parse([body], `multipart/form-data; charset=x; boundary="${boundary}"`)).toMatchObject({
      fields: { purpose: "selfie", bytes: "\r\n--a b:\r\n-" },
    });
  });

  it("has a file for a part with a file name, and otherwise text, which is truncated", async () => {
    const star = part(disposition("file", "; filename*=UTF-8''%F0%9F%92%B3.jpg"), "bytes");
    expect(await parse([star + end])).toMatchObject({ fields: { bytes: "bytes" } });
    expect(await parse([part(disposition("file"), "bytes") + end])).toMatchObject({
      fields: { text: "bytes" },
    });
    const long = part(disposition("purpose"), "selfie".padEnd(900_000, "x"));
    expect(await parse([long + end])).toMatchObject({ fields: { purpose: "selfie".padEnd(1_024, "x") } });
  });
});

/** The size of a socket's chunks. */
const chunkBytes = 64 * 1024;
function* repeat(text: string, bytes: number) {
  const chunk = text.repeat(Math.ceil(chunkBytes / text.length));
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
}
function* then(...parts: (string | Iterable<string>)[]) {
  for (const some of parts) yield* typeof some === "string" ? [some] : some;
}
const tenMegabytes = 10 * 1024 * 1024;

describe("a hostile form is rejected before it is read", () => {
  it.each([
    ["10 MB of header lines", then("--b\r\n", repeat("x: y\r\n", tenMegabytes)), "form-headers"],
    ["10 MB of one header", then("--b\r\nx: ", repeat("y", tenMegabytes)), "form-headers"],
    ["10 MB of lines without a colon", then("--b\r\n", repeat("x\r\n", tenMegabytes)), "form-headers"],
    ["1,000 parts", repeat(part(disposition("x")), 1_000 * 60), "form-parts"],
    [
      "parts within parts",
      repeat(part(`${disposition("x")}\r\nContent-Type: ${type}2`, "--b2"), 90_000),
      "form-parts",
    ],
    ["10 MB without a boundary", repeat("x", tenMegabytes), "form"],
    ["parts without a name", repeat(part("Content-Disposition: form-data"), 90_000), "form-name"],
    ["headers in invalid UTF-8", [Buffer.from(part(disposition("\xff")), "latin1")], "form"],
  ])("%s", async (_name, chunks, rule) => {
    const refused = await parse(chunks);
    expect(refused).toMatchObject({ code: "MALFORMED_REQUEST", rule, message: expect.stringMatching(/\.$/) });
    expect(refused.read).toBeLessThanOrEqual(2 * chunkBytes);
  });

  it.each([
    ["no boundary", "multipart/form-data; x=y"],
    ["a boundary of 71 characters", `multipart/form-data; boundary=${"b".repeat(71)}`],
    ["a boundary with a line break", 'multipart/form-data; boundary="a\\\r\nb"'],
    ["an invalid media type", "multipart/; boundary=b"],
  ])("%s", async (_name, contentType) => {
    expect(await parse([purpose + file + end], contentType)).toMatchObject({
      rule: "form-boundary",
      read: 0,
    });
  });

  it("a file that is too large, at its limit", async () => {
    const refused = await parse(then(file.slice(0, -7), repeat("x", tenMegabytes)));
    expect(refused.code).toBe("PAYLOAD_TOO_LARGE");
    expect(refused.read).toBeLessThanOrEqual(1_000_000 + 3 * chunkBytes);
  });

  it.each([
    ["without an end", [purpose, file], "MALFORMED_REQUEST", "form"],
    ["that ends within a boundary", [purpose, file, "--b-"], "MALFORMED_REQUEST", "form"],
    ["of nothing", [], "MALFORMED_REQUEST", "form"],
    ["with a duplicate field", [purpose, purpose, file, end], "INVALID_INPUT", "single-value"],
  ])("a form %s", async (_name, chunks, code, rule) => {
    expect(await parse(chunks)).toMatchObject({ code, rule });
  });
});
