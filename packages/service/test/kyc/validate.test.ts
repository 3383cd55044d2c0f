import { defaultPolicies, Failure, type KycRecords, unlimitedCapabilities } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { exampleSubmission } from "../../src/kyc/example.ts";
import { validateKyc } from "../../src/kyc/validate.ts";
import { callOf, codeOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

/* That a validation and a submission agree in every state is shown with generated bodies, by the service's tests. */
const body = exampleSubmission.input;
const call = callOf("platform", { platformId: "plt_1", scopes: ["kyc:write"] });

/** Validates a body under policies. `preview` is what the store says about a valid one. */
async function validate(
  draft: object,
  preview: KycRecords["preview"] = async () => ({ kind: "new" }),
  policies = defaultPolicies,
) {
  const { ports, used } = fakePorts();
  ports.fileUrls.fileIdOf = (url) => (url === body.frontImageUrl ? "file_1" : undefined);
  ports.kycRecords.preview = preview;
  const { data } = await validateKyc(policies).execute(ports, call, draft);
  expect(used).toEqual([]);
  return data;
}

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
    const loss = "The provider gets no position.";
    const fields = { ...unlimitedCapabilities.fields, position: { support: "not carried", loss } } as const;
    const files = { types: ["image/jpeg"], maxBytes: 1_000 } as const;
    const capabilities = { ...unlimitedCapabilities, fields, files };
    const accepted: unknown[] = [];
    const preview: KycRecords["preview"] = async (_platform, request) => {
      accepted.push(...request.files.map(({ accepts }) => accepts));
      return { kind: "new" };
    };
    const result = await validate(body, preview, { ...defaultPolicies, capabilities });
    expect(result).toMatchObject({ valid: true, notForwarded: [{ path: "/position", message: loss }] });
    expect(accepted).toEqual([files]);
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

  it("returns a conflict with its code, its errors and its record, and fails if the state cannot be read", async () => {
    const details = { kycRecordId: "kyc_1", violations: [{ path: ["email"], rule: "x", message: "Y." }] };
    const failing = (failure: Failure) => validate(body, () => Promise.reject(failure));
    expect(await failing(new Failure("USER_IDENTITY_CONFLICT", details))).toMatchObject({
      valid: false,
      submission: "conflict",
      code: "USER_IDENTITY_CONFLICT",
      kycRecordId: "kyc_1",
      errors: [{ path: "/email", rule: "x", message: "Y." }],
    });
    const unavailable = failing(new Failure("SERVICE_UNAVAILABLE"));
    expect(await codeOf(unavailable)).toBe("SERVICE_UNAVAILABLE");
  });
});
