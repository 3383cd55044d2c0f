import { toUSVString } from "node:util";
import fc from "fast-check";

/** Converts a value to text. Percent-encoding replaces lone surrogates by U+FFFD. */
export function print(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
export const percent = (value: unknown): string => encodeURIComponent(toUSVString(print(value)));

/** Texts that often cause errors. */
export const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "",
      " ",
      "\t",
      "\u0000",
      "\u0000canary",
      "\r\n",
      "\r\n\r\nGET /health/live HTTP/1.1\r\nhost: a\r\n\r\n",
      "\ud800",
      "\udfff\ud800",
      "\ufeff",
      "\u202egnp.exe",
      "\u2028",
      "e\u0301\u0301\u0301",
      "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
      "\u0130\u0131\ufb01",
      "\uff0e\uff0e\uff0f",
      "null",
      "true",
      "-0",
      "1e309",
      "0x10",
      "NaN",
      "9007199254740993",
      "99999999999999999999999999999999",
      "__proto__",
      "constructor",
      "hasOwnProperty",
      "toString",
      "then",
      "[object Object]",
      "../../../../etc/passwd",
      "..%2f..%2f",
      "%",
      "%00",
      "%ed%a0%80",
      "' or 1=1 --",
      "'; drop table users; --",
      "{{7*7}}",
      "\x24{jndi:ldap://127.0.0.1:1/x}",
      "<script>alert(1)</script>",
      "canary@[127.0.0.1]",
      "http://127.0.0.1:1/",
      "http://[::1]:1/",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "https://user:canary@example.com/",
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("a", "a@", "-", ".", "%", "\u00e9", "0", " ", "/", "https://a."), fc.nat(3_000))
      .map(([text, times]) => text.repeat(times)),
  },
);
