import fc from "fast-check";

/** Texts that often cause errors. */
export const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "",
      " ",
      "\u0000",
      "\u0000canary",
      "\r\n",
      "\r\n\r\nGET /health/live HTTP/1.1\r\nhost: a\r\n\r\n",
      "\ud800",
      "\u202egnp.exe",
      "e\u0301\u0301\u0301",
      "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
      "\u0130\u0131\ufb01",
      "null",
      "-0",
      "1e309",
      "NaN",
      "9007199254740993",
      "__proto__",
      "constructor",
      "[object Object]",
      "../../../../etc/passwd",
      "%",
      "%00",
      "'; drop table users; --",
      "\x24{jndi:ldap://127.0.0.1:1/x}",
      "<script>alert(1)</script>",
      "canary@[127.0.0.1]",
      "http://127.0.0.1:1/",
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
