import { expect, it } from "vitest";
import { reasonOf } from "../src/server/http/reason-of.ts";

it("names the issuer's code before the library's, and the system's for a broken connection", () => {
  const refused = Object.assign(new Error("with a token"), { error: "invalid_target", code: "OAUTH_ERROR" });
  const broken = new TypeError("fetch failed", {
    cause: Object.assign(new Error(), { code: "ECONNREFUSED" }),
  });
  expect([refused, broken].map(reasonOf)).toEqual(["invalid_target", "ECONNREFUSED"]);
});

it("takes no text of another system", () => {
  const long = Object.assign(new RangeError("of ada@example.com"), { error: "ada@example.com" });
  expect([long, "ada@example.com"].map(reasonOf)).toEqual(["RangeError", "unknown"]);
});
