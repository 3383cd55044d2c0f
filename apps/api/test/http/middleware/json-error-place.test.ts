import { expect, it } from "vitest";
import { jsonErrorPlace } from "../../../src/http/middleware/json-error-place.ts";

function placeIn(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    const place = jsonErrorPlace(text, error);
    return place && `${place.line}:${place.column}`;
  }
  throw new Error("This is valid JSON.");
}

it.each([
  ["nothing", "", "1:1"],
  ["a truncated text", '{"a":\n  [1,', "2:6"],
  ["a comma before a brace", '{\n  "a": 1,\n}', "3:1"],
  ["a missing comma", '{"a": 1\r\n"b": 2}', "2:1"],
  ["a word", `[1, ${" ".repeat(100)}undefined]`, "1:105"],
  ["a control character", '["a\u0001"]', "1:4"],
  ["an unknown escape", '["\\x"]', "1:4"],
  ["two values", "{}\n\n{}", "3:1"],
  ["characters beyond the BMP", '["😀", x]', "1:7"],
  ["a text like the engine's own message", '["at position 1" , at position 2]', "1:20"],
])("finds %s", (_name, text, place) => {
  expect(placeIn(text)).toBe(place);
});
