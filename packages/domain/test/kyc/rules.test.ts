import { describe, expect, it } from "vitest";
import {
  defaultPolicies,
  hongKongPolicies,
  kycRules,
  kycSubmission,
  type Policies,
  parseInput,
} from "../../src/index.ts";
import { validBody, without } from "./submission-body.ts";

const now = () => new Date("2026-06-15T12:00:00Z");

function violationsOf(body: unknown, policies: Partial<Policies> = {}) {
  const parsed = parseInput(kycSubmission, kycRules({ ...defaultPolicies, now, ...policies }), body);
  return parsed.ok ? [] : parsed.violations.map(({ path, rule }) => `/${path.join("/")} ${rule}`).sort();
}

describe("a KYC submission (interface, sections 2.3 and 7)", () => {
  it("accepts a complete body and normalizes it", () => {
    const body = { ...validBody, name: "  Some One ", documentCountry: "sg", unknown: { anything: [1] } };
    const parsed = parseInput(kycSubmission, kycRules(defaultPolicies), body);
    expect(parsed).toEqual({ ok: true, value: { ...validBody, name: "Some One", documentCountry: "SG" } });
  });

  it.each(Object.keys(without("documentExpiryDate", "supportingDocuments")))("requires %s", (field) => {
    expect(violationsOf(without(field))).toContain(`/${field} required`);
  });

  it.each([
    [
      "both",
      { ...validBody, documentPermanentlyValid: true },
      ["/documentExpiryDate document-expiry-exactly-one"],
    ],
    ["neither", without("documentExpiryDate"), ["/documentExpiryDate document-expiry-exactly-one"]],
    [
      "only false",
      { ...without("documentExpiryDate"), documentPermanentlyValid: false },
      ["/documentPermanentlyValid document-permanently-valid-true"],
    ],
    [
      "false and a date",
      { ...validBody, documentPermanentlyValid: false },
      [
        "/documentExpiryDate document-expiry-exactly-one",
        "/documentPermanentlyValid document-permanently-valid-true",
      ],
    ],
    ["only true", { ...without("documentExpiryDate"), documentPermanentlyValid: true }, []],
    ["null as the date", { ...validBody, documentExpiryDate: null }, ["/documentExpiryDate type"]],
    [
      "the string true",
      { ...without("documentExpiryDate"), documentPermanentlyValid: "true" },
      ["/documentPermanentlyValid type"],
    ],
  ])("requires exactly one of expiry date and permanent validity: %s", (_name, body, expected) => {
    expect(violationsOf(body)).toEqual(expected);
  });

  it.each([
    ["passport", []],
    ["id_card", ["/backImageUrl back-image-required"]],
    ["driver_license", ["/backImageUrl back-image-required"]],
  ])("requires the back image by document type: %s", (documentType, expected) => {
    expect(violationsOf({ ...validBody, documentType })).toEqual(expected);
    expect(violationsOf({ ...validBody, documentType, backImageUrl: validBody.frontImageUrl })).toEqual([]);
  });

  it("requires supporting documents unless the policy matches a Hong Kong user", () => {
    const missing = ["/supportingDocuments supporting-documents-required"];
    const hongKongDocument = { ...without("supportingDocuments"), documentCountry: "hk" };
    const hongKonger = { ...without("supportingDocuments"), nationality: "HK" };
    expect(violationsOf(without("supportingDocuments"))).toEqual(missing);
    expect(violationsOf(hongKongDocument)).toEqual([]);
    expect(violationsOf(hongKonger)).toEqual(missing);
    expect(violationsOf(hongKonger, { hongKong: hongKongPolicies.nationality })).toEqual([]);
    expect(violationsOf(hongKongDocument, { hongKong: hongKongPolicies.nationality })).toEqual(missing);
    expect(violationsOf(hongKonger, { hongKong: hongKongPolicies.either })).toEqual([]);
    expect(violationsOf(hongKongDocument, { hongKong: hongKongPolicies.either })).toEqual([]);
  });

  it("describes the policy in the message about supporting documents", () => {
    const parsed = parseInput(kycSubmission, kycRules(defaultPolicies), without("supportingDocuments"));
    expect(parsed).toMatchObject({
      violations: [{ message: expect.stringContaining("documentCountry is HK") }],
    });
  });

  it("accepts up to 10 supporting documents, and an empty list for a Hong Kong user (G30)", () => {
    const [document] = validBody.supportingDocuments;
    const some = (count: number, documentCountry = "HK") => ({
      ...validBody,
      documentCountry,
      supportingDocuments: Array.from({ length: count }, () => document),
    });
    expect(violationsOf(some(0))).toEqual([]);
    expect(violationsOf(some(0, "SG"))).toEqual(["/supportingDocuments supporting-documents-required"]);
    expect(violationsOf(some(1))).toEqual([]);
    expect(violationsOf(some(10))).toEqual([]);
    expect(violationsOf(some(11))).toEqual(["/supportingDocuments max-items"]);
    const parsed = parseInput(kycSubmission, kycRules(defaultPolicies), some(0));
    expect(parsed.ok && parsed.value.supportingDocuments).toBeUndefined();
  });

  it.each([
    ["2000-02-29", []],
    ["1900-02-29", ["/birthday date"]],
    ["2001-02-30", ["/birthday date"]],
    ["2001-13-01", ["/birthday date"]],
    ["01-02-2001", ["/birthday date"]],
    ["2001-2-3", ["/birthday date"]],
    ["0000-00-00", ["/birthday date"]],
    ["1899-02-29", ["/birthday date"]],
    ["9999-99-99", ["/birthday date"]],
    ["1900-01-01", []],
    ["1899-12-31", ["/birthday birthday-from-1900"]],
    ["0190-01-31", ["/birthday birthday-from-1900"]],
    ["2026-06-16", []],
    ["2026-06-17", ["/birthday birthday-not-in-future"]],
  ])("validates dates of birth from 1900 to today in UTC+14: %s", (birthday, expected) => {
    expect(violationsOf({ ...validBody, birthday })).toEqual(expected);
  });

  it("accepts an expired document unless the policy rejects it (G25)", () => {
    const expired = { ...validBody, documentExpiryDate: "2026-06-13" };
    expect(violationsOf(expired)).toEqual([]);
    expect(violationsOf(expired, { documentExpiry: "future" })).toEqual([
      "/documentExpiryDate document-not-expired",
    ]);
    expect(
      violationsOf({ ...expired, documentExpiryDate: "2026-06-15" }, { documentExpiry: "future" }),
    ).toEqual([]);
    expect(
      violationsOf({ ...expired, documentExpiryDate: "2020-02-30" }, { documentExpiry: "future" }),
    ).toEqual(["/documentExpiryDate date"]);
  });

  describe("with a policy for file URLs (G21)", () => {
    const own = "https://cards.example.com";
    const isAccepted = (url: string, fileOrigins: Policies["fileOrigins"]) => {
      const rules = violationsOf({ ...validBody, selfieImageUrl: url }, { fileOrigins, ownOrigin: own });
      return !rules.some((rule) => rule.startsWith("/selfieImageUrl"));
    };

    it.each([
      ["https://files.example.com/a", true],
      ["HTTPS://Files.Example.COM:443/a", true],
      ["https://files.example.com./a", true],
      ["https://files.example.com.evil.io?a", true],
      ["http://files.example.com/a", false],
      ["https://files.example.com:8443/a", false],
      ["https://files.example.com:80/a", false],
      ["https://10.0.0.1/a", false],
      ["https://93.184.216.34/a", false],
      ["https://2130706433/a", false],
      ["https://0x7f000001/a", false],
      ["https://0177.0.0.1/a", false],
      ["https://127.1/a", false],
      ["https://[::1]/a", false],
      ["https://[::ffff:127.0.0.1]/a", false],
      ["https://localhost/a", false],
      ["https://LOCALHOST./a", false],
      ["https://a.localhost/a", false],
      ["https://printer/a", false],
      ["https://printer.local/a", false],
      ["https://db.Internal./a", false],
      ["https://nas.home.arpa/a", false],
      ["https://local.example.com/a", true],
      ["https://home.com/a", true],
    ])("validates the public URL %s", (url, expected) => {
      expect(isAccepted(url, "public")).toBe(expected);
      expect(isAccepted(url, "uploads")).toBe(false);
    });

    it.each(["public", "uploads", ["https://files.example.com"]])(
      "accepts its own origin in upper and lower case: %s",
      (policy) => {
        for (const url of [
          `${own}/files/x`,
          "HTTPS://Cards.Example.com:443/x/../files/x",
          `${own}/%66iles/x`,
        ])
          expect(isAccepted(url, policy as Policies["fileOrigins"])).toBe(true);
        expect(isAccepted("http://cards.example.com/files/x", policy as Policies["fileOrigins"])).toBe(false);
      },
    );

    it("accepts any origin with the policy any", () => {
      for (const url of ["http://localhost:3000/a", "http://10.0.0.1/a", "http://[::1]:80/a", "https://a/b"])
        expect(isAccepted(url, "any")).toBe(true);
    });

    it("accepts listed origins, also of private hosts", () => {
      const origins = ["https://files.example.com", "http://minio.local:9000"];
      expect(isAccepted("HTTPS://Files.Example.com:443/a", origins)).toBe(true);
      expect(isAccepted("http://minio.local:9000/a", origins)).toBe(true);
      expect(isAccepted("https://files.example.com:8443/a", origins)).toBe(false);
      expect(isAccepted("https://files.example.com.evil.io/x.jpg", origins)).toBe(false);
    });

    it("validates every field, with one violation for an invalid URL", () => {
      const supportingDocuments = [{ documentType: "BANK_STATEMENT", fileUrl: "https://a.local" }];
      const body = {
        ...validBody,
        frontImageUrl: "https://127.1",
        selfieImageUrl: "http://a",
        supportingDocuments,
      };
      expect(violationsOf(body)).toEqual([
        "/frontImageUrl http-url",
        "/selfieImageUrl file-origin",
        "/supportingDocuments/0/fileUrl file-origin",
      ]);
    });
  });

  it("reports the violations of all fields together", () => {
    expect(
      violationsOf({
        ...without("selfieImageUrl", "documentExpiryDate"),
        gender: "other",
        phoneNumber: "12a4",
        documentType: "id_card",
        birthday: "2999-01-01",
        supportingDocuments: [{ documentType: "SELFIE", fileUrl: "ftp://x/y" }, 7],
      }),
    ).toEqual([
      "/backImageUrl back-image-required",
      "/birthday birthday-not-in-future",
      "/documentExpiryDate document-expiry-exactly-one",
      "/gender enum",
      "/phoneNumber phone-number",
      "/selfieImageUrl required",
      "/supportingDocuments/0/documentType enum",
      "/supportingDocuments/0/fileUrl http-url",
      "/supportingDocuments/1 type",
    ]);
  });

  it.each([[null], [[]], ["text"], [7], [undefined]])("rejects a body that is not an object: %j", (body) => {
    expect(violationsOf(body)).toHaveLength(1);
  });

  it("never repeats a sent value in a violation", () => {
    const canary = "CANARY-7f3a";
    const body = Object.fromEntries(Object.keys(validBody).map((field) => [field, canary]));
    const parsed = parseInput(kycSubmission, kycRules(defaultPolicies), { ...body, gender: [canary] });
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toContain(canary);
  });
});
