import { expect, it } from "vitest";
import { toCsv } from "../../src/web/audit/csv.ts";

it("quotes every cell, and doubles quotes", () => {
  expect(toCsv([["a", 'say "hi"', "x,y", null, 3]])).toBe('"a","say ""hi""","x,y","","3"\r\n');
});

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])(
  "makes the formula %j text for spreadsheets",
  (text) => {
    expect(toCsv([[text]])).toBe(`"'${text}"\r\n`);
  },
);

it("keeps line ends inside a cell", () => {
  expect(toCsv([["a\nb"], ["c"]])).toBe('"a\nb"\r\n"c"\r\n');
});
