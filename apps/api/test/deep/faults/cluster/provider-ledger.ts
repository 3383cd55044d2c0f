/** Why the provider refused or rejected a submission, with the provider's own codes. */
export interface ProviderReasons {
  reasons?: { code: string; field?: string }[];
  final?: true;
}

/** What the provider received for a document request, also answers without an effect. */
interface ReceivedAnswer {
  answerReference: string;
  at: string;
  outcome: "accepted" | "timeout-after-effect" | "timeout-before-effect" | "refused";
  documents: { type: string; fileUrl: string }[];
}

/** What the provider executed, attempt by attempt. */
export interface ProviderLedger {
  executions: ({
    reference: string;
    userReference: string;
    status: string;
    request: unknown;
    requests: { requestId: string; status: string; answers: ReceivedAnswer[] }[];
  } & ProviderReasons)[];
  /** The acts as the provider's staff. */
  acts: { reference: string | null }[];
  attempts: { reference: string; outcome: string; at: string }[];
  refusals: ({ reference: string; userReference: string; request: unknown } & ProviderReasons)[];
}

/** Reads the ledger of a sandbox. */
export async function readProviderLedger(sandboxUrl: string): Promise<ProviderLedger> {
  return (await (await fetch(`${sandboxUrl}/_ledger`)).json()) as ProviderLedger;
}
