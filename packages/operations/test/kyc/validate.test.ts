import {
  defaultPolicies,
  Failure,
  type KycRecord,
  newState,
  unlimitedCapabilities,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { exampleSubmission } from "../../src/kyc/example.ts";
import { validateKyc } from "../../src/kyc/validate.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const operation = validateKyc(defaultPolicies);
const body = exampleSubmission.input;

/** Validates a body whose submission would replay `created`, or create a record without it. */
async function validate(draft: object, created?: () => KycRecord | null) {
  const { ports, audited } = fakePorts();
  const record = () => created?.() ?? null;
  ports.kycRecords.preview = async () => {
    const found = record();
    return found ? { kind: "replay", record: found } : { kind: "new" };
  };
  const call = callOf("platform", { platformId: "plt_1", scopes: ["kyc:write"] });
  const { data } = await operation.execute(ports, call, draft);
  expect(audited).toEqual([]);
  return data;
}

const recordIn = (resolution: KycRecord["resolution"]): KycRecord => ({
  ...newState,
  resolution,
  explanation: { reasons: [{ code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" }], final: false },
  kycRecordId: "kyc_1",
  externalUserId: "usr_1",
  attempt: 1,
  createdAt: new Date(0),
});
const failing = (failure: Failure) => () => {
  throw failure;
};

describe("a validation (G29)", () => {
  it("of a valid body returns the result of a submission and the Hong Kong decision", async () => {
    expect(await validate(body)).toEqual({
      valid: true,
      submission: "new",
      code: null,
      message: null,
      errors: [],
      kycRecordId: null,
      hongKong: { policy: "documentCountry", description: "documentCountry is HK", isHongKongUser: false },
      ignored: [],
      notForwarded: [],
    });
  });

  it("lists the fields that are not forwarded, and checks the file limits of the provider", async () => {
    const fields = {
      ...unlimitedCapabilities.fields,
      position: { support: "not carried", loss: "The provider gets no position." },
    } as const;
    const files = { types: ["image/jpeg"], maxBytes: 1_000 } as const;
    const limited = { ...defaultPolicies, capabilities: { ...unlimitedCapabilities, fields, files } };
    const { ports } = fakePorts();
    const accepted: unknown[] = [];
    ports.fileUrls.fileIdOf = () => "file_1";
    ports.kycRecords.preview = async (_platform, request) => {
      accepted.push(...request.files.map(({ accepts }) => accepts));
      return { kind: "new" };
    };
    const call = callOf("platform", { platformId: "plt_1", scopes: ["kyc:write"] });
    const { data } = await validateKyc(limited).execute(ports, call, body);
    expect(data).toMatchObject({
      valid: true,
      notForwarded: [{ path: "/position", message: "The provider gets no position." }],
    });
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.every((limits) => limits === files)).toBe(true);
  });

  it("lists every violation, also of a misspelled field, and every ignored field (G21)", async () => {
    const { email: _, ...incomplete } = { ...body, birthday: "1990-02-30", middleName: "M" };
    const backImageURL = "https://files.example.com/b.jpg";
    const result = await validate({ ...incomplete, documentType: "id_card", backImageURL });
    expect(result).toMatchObject({ valid: false, submission: "invalid", code: "INVALID_INPUT" });
    expect(result.errors.map(({ path, rule }) => `${path} ${rule}`).sort()).toEqual([
      "/backImageUrl back-image-required",
      "/backImageUrl misspelled-field",
      "/birthday date",
      "/email required",
    ]);
    expect(result.ignored).toEqual(["/middleName"]);
    expect(JSON.stringify(result)).not.toContain("backImageURL");
  });

  it.each([
    { resolution: "unresolved", valid: true, code: null, errors: [] },
    { resolution: "answered", valid: true, code: null, errors: [] },
    { resolution: "refused", valid: false, code: "KYC_REFUSED", errors: [{ rule: "DOCUMENT_EXPIRED" }] },
  ] as const)(
    "of an equal body replays a record that is $resolution",
    async ({ resolution, ...expected }) => {
      const result = await validate(body, () => recordIn(resolution));
      expect(result).toMatchObject({ ...expected, submission: "replay", kycRecordId: "kyc_1" });
    },
  );

  it("reads no item beyond the limit of a list", async () => {
    let reads = 0;
    const item = {
      get documentType() {
        reads += 1;
        return undefined;
      },
    };
    const { errors } = await validate({ ...body, supportingDocuments: Array(20_000).fill(item) });
    expect(errors).toContainEqual({
      path: "/supportingDocuments",
      rule: "max-items",
      message: "Send at most 10 items. Only the first 10 were checked.",
    });
    expect(reads).toBeLessThan(200);
  });

  it("returns a conflict with its code, its errors and its record", async () => {
    const details = { kycRecordId: "kyc_1", violations: [{ path: ["email"], rule: "x", message: "Y." }] };
    const result = await validate(body, failing(new Failure("USER_IDENTITY_CONFLICT", details)));
    expect(result).toMatchObject({
      valid: false,
      submission: "conflict",
      code: "USER_IDENTITY_CONFLICT",
      kycRecordId: "kyc_1",
      errors: [{ path: "/email", rule: "x", message: "Y." }],
    });
  });

  it("fails if the state cannot be read", async () => {
    const unavailable = failing(new Failure("SERVICE_UNAVAILABLE"));
    await expect(validate(body, unavailable)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});
