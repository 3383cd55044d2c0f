import type { Failure, Observation } from "@cardbridge/domain";
import { onTestFinished } from "vitest";
import { type CardProviderOptions, createCardProvider } from "../../src/index.ts";

export const client = { clientId: "client-1", clientSecret: "a secret of these tests" };

interface Observed {
  event: Observation;
  labels: Readonly<Record<string, string>> | undefined;
}

/** Creates a provider with short retry delays and records its observations. Closes it after the test. */
export function connect(baseUrl: string, options: Partial<CardProviderOptions> = {}) {
  const observed: Observed[] = [];
  const provider = createCardProvider({
    baseUrl,
    ...client,
    retries: { minDelayMs: 1, maxDelayMs: 5 },
    observer: { observe: (event, labels) => observed.push({ event, labels }) },
    ...options,
  });
  onTestFinished(() => provider.close());
  return { provider, observed };
}

/** The public code and the logged reason of a failure. */
export async function failureOf(call: Promise<unknown>) {
  const failure = await call.then(
    () => undefined,
    (error: Failure) => error,
  );
  const { code, details } = failure ?? {};
  const reason = details?.cause instanceof Error ? details.cause.message : undefined;
  return { code, reason, retryAfterSeconds: details?.retryAfterSeconds };
}
