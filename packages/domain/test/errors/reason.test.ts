import { expect, it } from "vitest";
import { Failure, ReasonError, reasonOf } from "../../src/index.ts";

const coded = (code: unknown, message = "connect to ada@example.com failed", cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });
const unavailable = (cause?: unknown) => new Failure("SERVICE_UNAVAILABLE", { cause });
const refused = coded("ECONNREFUSED");

it.each([
  ["a code of the system", refused, "ECONNREFUSED"],
  ["a code of the database", coded("57P01"), "57P01"],
  [
    "a code in the cause of an error without one",
    new TypeError("fetch failed", { cause: refused }),
    "ECONNREFUSED",
  ],
  ["a code in the cause of a failure", unavailable(refused), "ECONNREFUSED"],
  ["a code two causes deep", unavailable(new Error("The commit broke.", { cause: refused })), "ECONNREFUSED"],
  ["a code of one of several addresses", new AggregateError([refused], "all failed"), "ECONNREFUSED"],
  ["a reason of this service", unavailable(new ReasonError("no-slot")), "no-slot"],
  [
    "an outer reason before an inner code",
    new ReasonError("connection-lost", { cause: refused }),
    "connection-lost",
  ],
  ["the code of a failure without a cause", unavailable(), "SERVICE_UNAVAILABLE"],
  ["the name of the innermost error", unavailable(new RangeError("is too long: ada")), "RangeError"],
  ["the class of a library's error of one word", unavailable(new RangeError("member-4711")), "RangeError"],
  [
    "a code below a library's error of one word",
    new Error("member-4711", { cause: refused }),
    "ECONNREFUSED",
  ],
  ["nothing from a code that is a sentence", coded("no such user: ada@example.com"), "Error"],
  ["nothing from a number", coded(23), "Error"],
  ["something that is not an error", "ada@example.com", "unknown"],
])("the reason is %s", (_, error, expected) => {
  expect(reasonOf(error)).toBe(expected);
});

it("the reason of an error that is its own cause is found", () => {
  const error = new Error("It failed.");
  error.cause = error;
  expect(reasonOf(error)).toBe("Error");
});
