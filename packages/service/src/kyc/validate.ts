import {
  decideHongKong,
  Failure,
  ignoredFields,
  isReported,
  type KycValidation,
  kycDraft,
  kycRules,
  kycSubmission,
  kycValidation,
  limitArrays,
  messages,
  notForwarded,
  type Parsed,
  type Policies,
  parseInput,
  type RawInput,
  type Rule,
  refusalOf,
  toErrorBody,
  toPointer,
  type Violation,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import type { OperationCall } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { exampleSubmission } from "./example.ts";
import { fileViolations, recordRequest } from "./record-request.ts";

type Verdict = Omit<KycValidation, "hongKong" | "ignored" | "notForwarded">;

const accepted = {
  valid: true,
  code: null,
  message: null,
  errors: [],
  kycRecordId: null,
} satisfies Partial<Verdict>;

/**
 * Validates a submission as `kyc.submit` does, without writing or sending anything (an extension, gap G29). It writes
 * nothing, but its kind is `write`, because its input is personal data, which must not be in a URL, and because it
 * accepts an Idempotency-Key.
 */
export const validateKyc = (policies: Policies) => {
  const rules = kycRules(policies);
  return defineOperation({
    ...forPlatforms,
    id: "kyc.validate",
    kind: "write",
    rest: { method: "post", path: "/users/kyc/validate", tag: "KYC" },
    summary: "Validate a KYC submission",
    description:
      "Validates the body of a KYC submission. It stores nothing and sends nothing. The result lists every " +
      "violation, the fields that would be ignored or not forwarded to the card provider, and whether the submission " +
      "would create a record, replay an earlier record or conflict. A submission with the same body and " +
      "Idempotency-Key has the same result unless the user changes in between. The provider may still refuse a new " +
      "submission.",
    documented: false,
    idempotent: true,
    scopes: ["kyc:write"],
    input: kycDraft,
    rules: [],
    output: kycValidation,
    example: {
      input: exampleSubmission.input,
      output: {
        ...accepted,
        submission: "new",
        hongKong: decideHongKong(policies, exampleSubmission.input),
        ignored: [],
        notForwarded: notForwarded(exampleSubmission.input, policies.capabilities),
      },
    },
    errors: [],
    audit: [],

    // An invalid call also reports the violations of its body, as a submission does.
    async furtherViolations(ports, call, raw) {
      return allViolations(ports, call, raw, parseInput(kycSubmission, rules, raw), policies);
    },

    async run(ports, call, raw) {
      const verdict = await validate(ports, call, raw, policies, rules).catch(toVerdict);
      const { input: draft } = limitArrays(kycSubmission, raw);
      const hongKong = decideHongKong(policies, draft);
      const lost = notForwarded(draft, policies.capabilities);
      return { data: { ...verdict, hongKong, ignored: ignoredFields(draft), notForwarded: lost } };
    },
  });
};

/** @throws the Failure that a submission would throw. */
async function validate(
  ports: Ports,
  call: OperationCall,
  raw: RawInput,
  policies: Policies,
  rules: readonly Rule[],
): Promise<Verdict> {
  const parsed = parseInput(kycSubmission, rules, raw);
  if (!parsed.ok)
    throw new Failure("INVALID_INPUT", {
      violations: await allViolations(ports, call, raw, parsed, policies),
    });
  const request = await recordRequest(ports, call, parsed.value, policies);
  const result = await ports.kycRecords.preview(call.platformId, request);
  if (result.kind === "new") return { ...accepted, submission: "new" };
  const { record } = result;
  if (record.resolution === "refused") throw refusalOf(record, true);
  return { ...accepted, submission: "replay", kycRecordId: record.kycRecordId };
}

/** The violations of a parsed body and of its files. */
async function allViolations(
  ports: Ports,
  call: OperationCall,
  raw: RawInput,
  parsed: Parsed<unknown>,
  { capabilities }: Policies,
): Promise<Violation[]> {
  const { input } = limitArrays(kycSubmission, raw);
  const ofFiles = await fileViolations(ports, call, input, capabilities.files);
  return [...(parsed.ok ? [] : parsed.violations), ...ofFiles];
}

/** Converts a failure to the result of the validation, if validations report its code. Else throws it again. */
function toVerdict(error: unknown): Verdict {
  if (!(error instanceof Failure && isReported(error.code))) throw error;
  const { code, details } = error;
  return {
    valid: false,
    submission: code === "INVALID_INPUT" ? "invalid" : code === "KYC_REFUSED" ? "replay" : "conflict",
    code,
    message: messages[code],
    ...toErrorBody(details.violations ?? [], toPointer),
    kycRecordId: details.kycRecordId ?? null,
  };
}
