import type { Failure, Observation } from "@cardbridge/domain";
import { onTestFinished } from "vitest";
import { type CardProviderOptions, createCardProvider } from "../../src/index.ts";

export const client = { clientId: "client-1", clientSecret: "a secret of these tests" };

interface Observed {
  what: Observation;
  labels: Readonly<Record<string, string>> | undefined;
}

/** A provider with quick retries, and what it observed; closed after the test. */
export function connect(baseUrl: string, options: Partial<CardProviderOptions> = {}) {
  const observed: Observed[] = [];
  const provider = createCardProvider({
    baseUrl,
    ...client,
    retries: { firstDelayMs: 1, maxDelayMs: 5 },
    observer: { observe: (what, labels) => observed.push({ what, labels }) },
    ...options,
  });
  onTestFinished(() => provider.close());
  return { provider, observed };
}

/** What a caller and a log may see of a failure. */
export async function failureOf(call: Promise<unknown>) {
  const failure = await call.then(
    () => undefined,
    (error: Failure) => error,
  );
  const { code, details } = failure ?? {};
  const reason = details?.cause instanceof Error ? details.cause.message : undefined;
  return { code, reason, retryAfterSeconds: details?.retryAfterSeconds };
}
