import { type KycRecord, toAnswer, type Verdict } from "./record.js";
import { hashOf, seal } from "./seal.js";
import type { Submission } from "./submission.js";

/** Who calls, as the key says, and in which request. */
export interface Caller {
  platformId: string;
  scopes: string[];
}

/** What the first transaction stores. */
export interface Claim {
  platformId: string;
  requestId: string;
  memberId: string;
  email: string;
  fingerprint: Buffer;
  sealed: Buffer;
}

export interface Records {
  /** Finds or makes the user, and stores a new record or finds the one that is repeated. Committed on return. */
  claim(claim: Claim): Promise<{ record: KycRecord; replayed: boolean }>;
  /** Stores the verdict where the record is still unsettled. Committed on return. */
  settle(record: KycRecord, verdict: Verdict): Promise<KycRecord>;
}

export interface Provider {
  /** Never throws: what is not an answer about the submission leaves it unsettled. */
  submit(reference: string, userReference: string, submission: Submission): Promise<Verdict>;
}

/** A submission from its valid body to its answer: two transactions with one call between them. */
export async function submit(
  { records, provider }: { records: Records; provider: Provider },
  { platformId, requestId }: { platformId: string; requestId: string },
  submission: Submission,
) {
  const { memberId, email } = submission;
  const text = JSON.stringify(submission);
  const claim = { platformId, requestId, memberId, email: email.toLowerCase() };
  const { record, replayed } = await records.claim({
    ...claim,
    fingerprint: hashOf(text),
    sealed: seal(text),
  });
  if (replayed) return toAnswer(record, true);
  const verdict = await provider.submit(record.kycRecordId, record.externalUserId, submission);
  const unknown = verdict.settlement === "unsettled";
  return toAnswer(unknown ? record : await records.settle(record, verdict), false);
}
