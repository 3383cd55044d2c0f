import { setTimeout as wait } from "node:timers/promises";
import type { Submission } from "./submission.ts";

/** One answer of the service to a client, or why there was none. */
export interface Told {
  submission: Submission;
  status: number | undefined;
  retryAfter: string | null;
  replayed: boolean;
  body: { kycRecordId?: string; status?: string | null; code?: string };
}

interface Call {
  url: string;
  key: string;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** After so many milliseconds a client gives up. */
  patienceMs?: number;
}

/** Submits once, and tells what the client was told. Never throws. */
export async function submit(submission: Submission, call: Call): Promise<Told> {
  const patience = AbortSignal.timeout(call.patienceMs ?? 60_000);
  try {
    const response = await fetch(`${call.url}/openapi/v1/users/kyc`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${call.key}`,
        "content-type": "application/json",
        ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
      },
      body: JSON.stringify(submission),
      signal: call.signal ? AbortSignal.any([patience, call.signal]) : patience,
    });
    return {
      submission,
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      replayed: response.headers.has("idempotent-replayed"),
      body: (await response.json()) as Told["body"],
    };
  } catch {
    return { submission, status: undefined, retryAfter: null, replayed: false, body: {} };
  }
}

/** Whether the client now knows that the submission is in good hands: a result, or a refusal with its record. */
export function isAcknowledged({ status, body }: Told): boolean {
  return status === 200 || status === 202 || (status === 422 && body.kycRecordId !== undefined);
}

/** Submits again and again, as clients do, until it is acknowledged or a minute has passed. */
export async function insist(once: () => Promise<Told>): Promise<Told> {
  let told = await once();
  for (let tries = 0; !isAcknowledged(told) && tries < 200; tries += 1) {
    await wait(300);
    told = await once();
  }
  return told;
}
