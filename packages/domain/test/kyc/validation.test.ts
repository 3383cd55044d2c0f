import { expect, it } from "vitest";
import { ignoredFields } from "../../src/index.ts";
import { validBody } from "./submission-body.ts";

it("lists ignored fields as JSON Pointers (G21)", () => {
  const [document] = validBody.supportingDocuments;
  const supportingDocuments = [document, { ...document, "a/b": 1 }, "text"];
  expect(ignoredFields({ ...validBody, supportingDocuments, middleName: "X", "~": {} })).toEqual([
    "/supportingDocuments/1/a~1b",
    "/middleName",
    "/~0",
  ]);
  expect(ignoredFields({ ...validBody, name: { first: "A" } })).toEqual([]);
});

it("lists fields with the names of Object properties as ignored", () => {
  expect(ignoredFields(JSON.parse('{"__proto__":1,"constructor":1}'))).toEqual([
    "/__proto__",
    "/constructor",
  ]);
});

it("lists up to 100 ignored fields", () => {
  const draft = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field${index}`, 1]));
  expect(ignoredFields(draft)).toHaveLength(100);
});
