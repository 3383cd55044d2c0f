/** What the provider received for a document request, also answers without an effect. */
interface ReceivedAnswer {
  outcome: "accepted" | "timeout-after-effect" | "timeout-before-effect" | "refused";
  documents: { fileUrl: string }[];
}

/** What the provider executed, attempt by attempt. */
export interface ProviderLedger {
  executions: {
    reference: string;
    userReference: string;
    status: string;
    request: unknown;
    requests: { requestId: string; answers: ReceivedAnswer[] }[];
  }[];
  attempts: { reference: string; outcome: string }[];
  refusals: { reference: string }[];
}

/** Reads the ledger of a sandbox. */
export async function readProviderLedger(sandboxUrl: string): Promise<ProviderLedger> {
  return (await (await fetch(`${sandboxUrl}/_ledger`)).json()) as ProviderLedger;
}
