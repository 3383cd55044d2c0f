import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import * as f from "../../src/input/formats.ts";

const addressText = f.freeText(512, { lines: true });

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe("formats (G21)", () => {
  it.each([
    ["https://files.example.com/a.jpg", true],
    ["http://files.example.com:8080/a?b=c#d", true],
    ["HTTPS://FILES.EXAMPLE.COM", true],
    ["https://192.168.0.1:65535/a", true],
    ["https://localhost", true],
    ["https://a_b.example.com./x", true],
    ["https://[2001:db8::1]/a", true],
    ["https://[::ffff:10.0.0.1]:8443/a", true],
    ["https://[:::]/a", false],
    ["https://xn--/a", false],
    ["https://files.example.com:65536/a", false],
    ["https://files.example.com:99999/a", false],
    ["https://999.1.1.1/x", false],
    ["https://1.2.3.4.5/x", false],
    ["https://0x100000000/x", false],
    ["https://08.1.1.1/x", false],
    ["https://../x", false],
    ["https://[.]/x", false],
    ["https://a..b/x", false],
    ["https://files.example.com/图.jpg", true],
    ["//files.example.com/a", false],
    ["/a.jpg", false],
    ["ftp://files.example.com/a", false],
    ["javascript:alert(1)", false],
    ["https://user:secret@files.example.com/a", false],
    ["https://files.example.com/a b", false],
    ["https://", false],
    ["https:///a", false],
    [`https://files.example.com/${"a".repeat(2048 - 26)}`, true],
    [`https://files.example.com/${"a".repeat(2048 - 25)}`, false],
    ["https://files.example.com/\u0000", false],
    ["https://files.example.com/\ud800", false],
  ])("validates the URL %s", (url, expected) => {
    expect(accepts(f.fileUrl, url)).toBe(expected);
  });

  const callingCodes = { good: ["+852", "+1", "+1234"], bad: ["+12345", "+0", "+0852", "852", "+", "+8 52"] };
  const numbers = { good: ["1234", "1".repeat(20)], bad: ["123", "1".repeat(21), "12 34", "١٢٣٤"] };
  it.each([
    { name: "calling code", schema: f.callingCode, ...callingCodes },
    { name: "phone number", schema: f.phoneNumber, ...numbers },
  ])("validates a $name", ({ schema, good, bad }) => {
    for (const text of good) expect(accepts(schema, text), text).toBe(true);
    for (const text of bad) expect(accepts(schema, text), text).toBe(false);
  });

  it("accepts only URLs that the URL parser accepts", () => {
    const anyHost = [fc.string({ maxLength: 12 }), fc.stringMatching(/^[0-9a-z.:_-]{1,14}$/)];
    const host = fc.oneof(fc.domain(), fc.ipV4(), ...anyHost);
    const port = fc.constantFrom("", ":1", ":99999", ":");
    const url = fc.tuple(fc.constantFrom("https://", "http://", "HTTP://"), host, port, fc.webPath());
    fc.assert(
      fc.property(url, (parts) => {
        const text = parts.join("");
        if (accepts(f.fileUrl, text)) expect(URL.canParse(text)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it("counts code points, not UTF-16 units", () => {
    expect(accepts(f.memberId, "😀".repeat(64))).toBe(true);
    expect(accepts(f.memberId, "😀".repeat(65))).toBe(false);
    expect(accepts(f.shortText, "😀".repeat(256))).toBe(true);
    expect(accepts(f.shortText, "😀".repeat(257))).toBe(false);
  });

  const invisible = ["\u00a0\u2003", "\u200b", "\ufeff\u2060", "\u3164", "\u115f\uffa0", "\u2800", "\u0301"];
  it.each([
    ...["a", "😀", "陳", "-", " \u200ba\u0301 "].map((text) => ({ text, expected: true })),
    ...[...invisible, "\u{e0041}", "\u{e0100}"].map((text) => ({ text, expected: false })),
  ])("requires a visible character: $text", ({ text, expected }) => {
    expect(accepts(f.shortText, text)).toBe(expected);
    expect(accepts(f.memberId, text)).toBe(expected);
    expect(accepts(addressText, `\n${text}`)).toBe(expected);
  });

  it("accepts line breaks only in an address", () => {
    expect(addressText.parse("1 Example Street\r\n\nSingapore\n")).toBe("1 Example Street\r\n\nSingapore");
    for (const text of ["\n", "a\tb", "a\u000bb", "a\u0085b"]) expect(accepts(addressText, text)).toBe(false);
    expect(accepts(f.shortText, "a\nb")).toBe(false);
  });

  it("accepts the same dates as the date format of zod", () => {
    const years = fc.constantFrom("0000", "1900", "2000", "2024", "2100", "2400");
    const year = fc.oneof(years, fc.stringMatching(/^[0-9]{4}$/));
    const parts = fc.constantFrom("02", "04", "12", "28", "29", "30", "31", "00", "32");
    const part = fc.oneof(parts, fc.stringMatching(/^[0-9]{1,2}$/));
    const iso = z.iso.date();
    fc.assert(
      fc.property(year, part, part, (...parts) => {
        const text = parts.join("-");
        expect(accepts(f.calendarDate, text)).toBe(accepts(iso, text));
      }),
      { numRuns: 3_000 },
    );
  });

  it("publishes patterns that compile and match the same way in every engine", () => {
    const schemas = Object.values(f).filter((value) => value instanceof z.ZodType);
    const patterns = schemas.flatMap((schema) => {
      const { pattern, format } = z.toJSONSchema(schema, { io: "input" });
      return format === "date-time" || pattern === undefined ? [] : [pattern];
    });
    expect(patterns.length).toBeGreaterThan(10);
    for (const pattern of patterns) {
      // No lookarounds, no engine-specific classes or escapes, no literals beyond ASCII, no large counts.
      expect(pattern).not.toMatch(/\(\?[^:]|\\[dDwWsSbBupPk0-9]|[^ -~]|\{[0-9,]*[0-9]{4}/);
      expect(() => new RegExp(pattern)).not.toThrow();
    }
  });

  it("publishes the longest length of each pattern", () => {
    const lengthOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" }).maxLength;
    const short = [f.calendarDate, f.countryCode, f.callingCode, f.phoneNumber, f.searchedMoment, f.sha256];
    expect(short.map(lengthOf)).toEqual([10, 2, 5, 20, 35, 64]);
  });

  it("trims free text but not identifiers", () => {
    expect(f.memberId.parse(" x ")).toBe(" x ");
    expect(f.shortText.parse(" x ")).toBe("x");
    expect(accepts(f.shortText, "   ")).toBe(false);
    expect(accepts(f.shortText, "")).toBe(false);
  });

  it("rejects control characters and lone surrogates", () => {
    const bad = fc.constantFrom("\u0000", "\u0007", "\n", "\u007f", "\u0085", "\ud800", "\udfff");
    const before = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(before, bad, fc.constant(" "), fc.string({ maxLength: 20 }), (...parts) => {
        for (const schema of [f.shortText, f.memberId]) expect(accepts(schema, parts.join(""))).toBe(false);
      }),
    );
  });

  it.each([
    ["name@example.com", true],
    ["name+approved@demo.cardbridge.test", true],
    [`${"a".repeat(116)}@example.com`, true],
    [`${"a".repeat(117)}@example.com`, false],
    ["a&b@b.co", true],
    ["a!b/c=d@sub.example.com", true],
    ["a@b.xn--p1ai", true],
    ["a..b@example.com", false],
    [".a@example.com", false],
    ["a@-b.co", false],
    ["a@b.1", false],
    ["a@bü.co", false],
    ["name", false],
    ["name@example", false],
    [" name@example.com", false],
    ["", false],
  ])("validates the e-mail %s", (address, expected) => {
    expect(accepts(f.email, address)).toBe(expected);
  });
});
