import { expect, it } from "vitest";
import { firstTwo, sortFiles } from "../../src/web/record/evidence/files.ts";

type File = Parameters<typeof sortFiles>[0][number];
const file = (field: string, fields: Partial<File> = {}): File => ({
  field,
  documentType: field.startsWith("supporting") ? "BANK_STATEMENT" : null,
  fileId: `file_${field}`,
  host: null,
  contentType: "image/jpeg",
  sha256: "1".repeat(64),
  ...fields,
});
const elsewhere = { fileId: null, host: "files.example.com", contentType: null, sha256: null };

it("separates what can be shown from what is elsewhere or gone, and numbers equal names", () => {
  const { shown, others } = sortFiles([
    file("frontImageUrl"),
    file("selfieImageUrl", elsewhere),
    file("supportingDocuments/0"),
    file("supportingDocuments/1", { contentType: null, sha256: null }),
    file("requests/dreq_1/0", { documentType: "BANK_STATEMENT" }),
  ]);
  expect(shown.map(({ name }) => name)).toEqual([
    "Document, front",
    "Bank statement 1",
    "Bank statement, on request",
  ]);
  expect(others.map(({ name, host }) => [name, host])).toEqual([
    ["Selfie", "files.example.com"],
    ["Bank statement 2", null],
  ]);
});

it("begins with the front and the selfie, else with what there is", () => {
  const two = (...files: File[]) => firstTwo(sortFiles(files).shown).map(({ field }) => field);
  const all = [file("backImageUrl"), file("selfieImageUrl"), file("frontImageUrl")];
  expect(two(...all)).toEqual(["frontImageUrl", "selfieImageUrl"]);
  expect(two(file("frontImageUrl", elsewhere), file("selfieImageUrl"))).toEqual(["selfieImageUrl"]);
  expect(two()).toEqual([]);
});
