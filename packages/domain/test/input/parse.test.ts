import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ignoredFields, parseInput } from "../../src/index.ts";
import { validBody } from "../kyc/submission-body.ts";

const schema = z.object({
  backImageUrl: z.string().optional(),
  items: z
    .array(z.object({ fileUrl: z.string() }))
    .max(3)
    .optional(),
  decision: z
    .discriminatedUnion("outcome", [
      z.object({ outcome: z.literal("answered"), subStatus: z.string() }),
      z.object({ outcome: z.literal("refused"), final: z.boolean() }),
    ])
    .nullable()
    .optional(),
});

function violationsOf(raw: unknown) {
  const parsed = parseInput(schema, [], raw);
  return parsed.ok ? [] : parsed.violations.map(({ path, rule }) => `/${path.join("/")} ${rule}`);
}

describe("a field that is unknown (G21)", () => {
  const misspellings = ["backImageURL", "BACKIMAGEURL", "back_image_url", "back-image-url", "_backImageUrl"];
  it.each([...misspellings, "Back_Image-URL"])(
    "is refused if it differs from a known one only in case, _ or -: %s",
    (name) => {
      const message = "Write the name of this field exactly as backImageUrl.";
      const misspelled = { path: ["backImageUrl"], rule: "misspelled-field", message };
      expect(parseInput(schema, [], { [name]: "x" })).toMatchObject({ ok: false, violations: [misspelled] });
      expect(violationsOf({ backImageUrl: "x", [name]: "x" })).toEqual(["/backImageUrl misspelled-field"]);
    },
  );

  it.each(["backImage", "backImageUrls", "back.image.url", "back image url", "", "_", "constructor"])(
    "is ignored otherwise: %s",
    (name) => {
      expect(parseInput(schema, [], { [name]: "x", __proto__: { a: 1 } })).toEqual({ ok: true, value: {} });
    },
  );

  it("is found in the items of lists and in each variant of a field", () => {
    const items = [{ fileUrl: "x" }, { fileURL: "x", fileUrl: "x" }];
    expect(violationsOf({ items })).toEqual(["/items/1/fileUrl misspelled-field"]);
    const decision = { outcome: "answered", subStatus: "approved", sub_status: "approved" };
    expect(violationsOf({ decision })).toEqual(["/decision/subStatus misspelled-field"]);
  });

  it("is reported once, however many spellings there are", () => {
    expect(violationsOf({ BackImageUrl: "x", backImageURL: "x", back_image_url: "x" })).toEqual([
      "/backImageUrl misspelled-field",
    ]);
  });

  it("is never refused where any field is accepted", () => {
    const open = z.looseObject({ fileUrl: z.string().optional() });
    expect(parseInput(open, [], { fileURL: "x" })).toMatchObject({ ok: true });
    expect(parseInput(z.record(z.string(), z.string()), [], { fileURL: "x" })).toMatchObject({ ok: true });
  });
});

describe("a list that is too long", () => {
  const message = "Send at most 3 items. Only the first 3 were checked.";

  it("has the violations of its items up to the limit beside its own", () => {
    const items = [{ fileUrl: "x" }, {}, { fileUrl: 1 }, {}, {}];
    expect(violationsOf({ items })).toEqual([
      "/items max-items",
      "/items/1/fileUrl required",
      "/items/2/fileUrl type",
    ]);
    const valid = Array.from({ length: 4 }, () => ({ fileUrl: "x" }));
    expect(parseInput(schema, [], { items: valid })).toEqual({
      ok: false,
      violations: [{ path: ["items"], rule: "max-items", message }],
    });
  });
});

it("ignored fields are listed as JSON Pointers, up to 100 (G21)", () => {
  const [document] = validBody.supportingDocuments;
  const supportingDocuments = [document, { ...document, "a/b": 1 }, "text"];
  const ignored = ["/supportingDocuments/1/a~1b", "/middleName", "/~0"];
  expect(ignoredFields({ ...validBody, supportingDocuments, middleName: "X", "~": {} })).toEqual(ignored);
  expect(ignoredFields({ ...validBody, name: { first: "A" } })).toEqual([]);
  const inherited = JSON.parse('{"__proto__":1,"constructor":1}');
  expect(ignoredFields(inherited)).toEqual(["/__proto__", "/constructor"]);
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field${index}`, 1]));
  expect(ignoredFields(many)).toHaveLength(100);
});
