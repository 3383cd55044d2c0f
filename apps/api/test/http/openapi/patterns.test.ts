import fc from "fast-check";
import { it } from "vitest";
import { publishedPatterns, textsFor } from "../../support/published-patterns.ts";

/*
 * A form copies a published pattern into HTML's attribute `pattern`, which browsers compile with the flag v. JSON Schema
 * validators compile it with u. The deep tests compare other engines.
 */
it.each(publishedPatterns())("accepts the same texts under the flags u and v: %s", (pattern) => {
  const [withU, withV] = ["u", "v"].map((flag) => new RegExp(`^(?:${pattern})$`, flag));
  fc.assert(fc.property(textsFor(pattern), (text) => withV?.test(text) === withU?.test(text)));
});
