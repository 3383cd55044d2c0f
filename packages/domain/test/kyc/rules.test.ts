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
    const body = without("supportingDocuments");
    const violations = (fields: object, hongKong = hongKongPolicies.documentCountry) =>
      violationsOf({ ...body, ...fields }, { hongKong });
    const { nationality, either } = hongKongPolicies;
    const [document, user] = [{ documentCountry: "hk" }, { nationality: "HK" }];
    expect([violations({}), violations(document), violations(user)]).toEqual([missing, [], missing]);
    expect([violations(document, nationality), violations(user, nationality)]).toEqual([missing, []]);
    expect([violations(document, either), violations(user, either)]).toEqual([[], []]);
    const message = expect.stringContaining("documentCountry is HK");
    const parsed = parseInput(kycSubmission, kycRules(defaultPolicies), body);
    expect(parsed).toMatchObject({ violations: [{ message }] });
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

  // formats.test.ts compares all dates with those of zod.
  it.each([
    ["2000-02-29", []],
    ["2001-02-30", ["/birthday date"]],
    ["1899-02-29", ["/birthday date"]],
    ["1900-01-01", []],
    ["1899-12-31", ["/birthday birthday-from-1900"]],
    ["2026-06-16", []],
    ["2026-06-17", ["/birthday birthday-not-in-future"]],
  ])("validates dates of birth from 1900 to today in UTC+14: %s", (birthday, expected) => {
    expect(violationsOf({ ...validBody, birthday })).toEqual(expected);
  });

  it("accepts an expired document unless the policy rejects it (G25)", () => {
    const expiring = (
      documentExpiryDate: string,
      policies: Partial<Policies> = { documentExpiry: "future" },
    ) => violationsOf({ ...validBody, documentExpiryDate }, policies);
    expect(expiring("2026-06-13", {})).toEqual([]);
    expect(expiring("2026-06-13")).toEqual(["/documentExpiryDate document-not-expired"]);
    expect(expiring("2026-06-15")).toEqual([]);
    expect(expiring("2020-02-30")).toEqual(["/documentExpiryDate date"]);
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

    it("accepts its own origin in upper and lower case with each policy", () => {
      const files = [`${own}/files/x`, "HTTPS://Cards.Example.com:443/x/../files/x", `${own}/%66iles/x`];
      for (const policy of ["public", "uploads", ["https://files.example.com"]] as const) {
        for (const url of files) expect(isAccepted(url, policy)).toBe(true);
        expect(isAccepted("http://cards.example.com/files/x", policy)).toBe(false);
      }
    });

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
      const images = { frontImageUrl: "https://127.1", selfieImageUrl: "http://a" };
      const body = { ...validBody, ...images, supportingDocuments };
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
