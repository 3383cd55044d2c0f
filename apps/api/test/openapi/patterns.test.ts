import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { publishedPatterns, textsFor } from "../support/published-patterns.ts";

/*
 * A form copies a published pattern into HTML's attribute `pattern`, which browsers compile with the flag v. JSON Schema
 * validators compile it with u. The deep tests compare other engines.
 */
describe.each(publishedPatterns())("the pattern %s", (pattern) => {
  it("accepts the same texts under the flags u and v", () => {
    const [withU, withV] = ["u", "v"].map((flag) => new RegExp(`^(?:${pattern})$`, flag));
    fc.assert(fc.property(textsFor(pattern), (text) => withV?.test(text) === withU?.test(text)));
  });
});
