/** Why the provider refused or rejected a submission, with the provider's own codes. */
export interface ProviderReasons {
  reasons?: { code: string; field?: string }[];
  final?: true;
}

/** What the provider executed, attempt by attempt. */
export interface ProviderLedger {
  executions: ({
    reference: string;
    userReference: string;
    status: string;
    request: unknown;
  } & ProviderReasons)[];
  attempts: { reference: string; outcome: string; at: string }[];
  refusals: ({ reference: string; userReference: string; request: unknown } & ProviderReasons)[];
}

/** Reads the ledger of a sandbox. */
export async function readProviderLedger(sandboxUrl: string): Promise<ProviderLedger> {
  return (await (await fetch(`${sandboxUrl}/_ledger`)).json()) as ProviderLedger;
}
