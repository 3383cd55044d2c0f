import { type FilePurpose, kycSubmission, type ProviderReply } from "@cardbridge/domain";
import { exampleSubmission } from "@cardbridge/service";
import fc from "fast-check";

/* Submissions of a few users, so that they meet each other's records, e-mails, keys and files. */

/** A submission, and the provider's answer if it is sent. */
export interface Step {
  body: Record<string, unknown>;
  /** Whether the previous body is sent instead. */
  repeats: boolean;
  idempotencyKey: string | undefined;
  answer: ProviderReply;
  /** What happens to the user afterwards. */
  afterwards: "nothing" | "erasure requested" | "erased";
}

/** The URLs of uploads by purpose, and URLs of this service that are not uploads. */
export type Uploads = Record<FilePurpose | "none", readonly string[]>;

const junk = fc.constantFrom<unknown>(
  ...[null, true, false, 0, 1.5, "", " ", "x", "HKG", "+0852", "2030-02-30", "1899-12-31", "2999-01-01"],
  ...["\u200b", "\u0000", "a\nb", "\ud800", "😀".repeat(200), "a b@example.com", "https://10.0.0.1/"],
  ...[
    [],
    {},
    ["passport"],
    [null],
    [{ documentType: "BANK_STATEMENT" }],
    [{ fileUrl: "https://localhost/x" }],
  ],
);

const answers: ProviderReply[] = [
  ...["approved", "rejected", "pending_approval", "something new"].map(
    (subStatus): ProviderReply => ({ outcome: "answered", subStatus, cardAccountId: null, revision: 1 }),
  ),
  { outcome: "refused" },
  {
    outcome: "refused",
    explanation: { reasons: [{ code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" }], final: false },
  },
  { outcome: "unknown", reason: "deadline" },
];

/** Selects the first in six of seven cases. */
const mostly = <T, U>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
  fc.oneof<[fc.WeightedArbitrary<T>, fc.WeightedArbitrary<U>]>(
    { weight: 6, arbitrary: usual },
    { weight: 1, arbitrary: other },
  );

function url(uploads: Uploads, purpose: FilePurpose) {
  const signed = fc.nat(9).map((n) => `https://files.example.com/${purpose}?X-Amz-Date=${n}`);
  const right = fc.constantFrom(...uploads[purpose]);
  return mostly(signed, mostly(right, fc.constantFrom(...Object.values(uploads).flat())));
}

/** Bodies that are valid, except for the rules about uploads and the users' states. */
function rightBody(uploads: Uploads, users: number) {
  const { supportingDocuments: _, ...example } = exampleSubmission.input;
  const people = fc.nat(users - 1);
  return fc
    .record(
      {
        documentType: fc.constantFrom("passport", "id_card", "driver_license"),
        documentCountry: fc.constantFrom("HK", "hk", "SG"),
        nationality: fc.constantFrom("HK", "SG"),
        occupation: fc.constantFrom("Engineer", "Poet"),
        frontImageUrl: url(uploads, "document_front"),
        selfieImageUrl: url(uploads, "selfie"),
        backImageUrl: url(uploads, "document_back"),
        supportingDocuments: fc.array(
          fc.record({
            documentType: fc.constantFrom("BANK_STATEMENT", "PROOF_OF_VISIT"),
            fileUrl: url(uploads, "supporting_document"),
          }),
          { minLength: 1, maxLength: 2 },
        ),
      },
      { requiredKeys: ["documentType", "documentCountry", "nationality", "occupation"] },
    )
    .chain((fields) =>
      fc.tuple(people, mostly(fc.constant(undefined), people)).map(([person, other]) => ({
        ...example,
        ...fields,
        memberId: `member-${person}`,
        email: `person-${other ?? person}@example.com`,
      })),
    );
}

const fieldNames = [...Object.keys(kycSubmission.shape), "unknown"];
const change = fc.record({
  dropped: fc.subarray(fieldNames, { maxLength: 2 }),
  replaced: fc.dictionary(fc.constantFrom(...fieldNames), junk, { maxKeys: 2 }),
});
const noChange = fc.constant({ dropped: [] as string[], replaced: {} });

/** Steps of all kinds: three quarters of the bodies are not mutated. */
export function steps(uploads: Uploads, users: number): fc.Arbitrary<Step> {
  const changes = fc.oneof({ weight: 3, arbitrary: noChange }, { weight: 1, arbitrary: change });
  return fc.record({
    body: fc.tuple(rightBody(uploads, users), changes).map(([right, { dropped, replaced }]) => {
      const body = Object.entries({ ...right, ...replaced });
      return Object.fromEntries(body.filter(([field]) => !dropped.includes(field)));
    }),
    repeats: fc.constantFrom(false, false, true),
    idempotencyKey: mostly(
      mostly(fc.constant(undefined), fc.nat(users)).map((n) => (n === undefined ? n : `key-${n}`)),
      fc.constantFrom("a b", "", "k".repeat(256)),
    ),
    answer: fc.constantFrom(...answers),
    afterwards: fc.oneof(
      { weight: 20, arbitrary: fc.constant("nothing" as const) },
      { weight: 1, arbitrary: fc.constantFrom("erasure requested" as const, "erased" as const) },
    ),
  });
}
