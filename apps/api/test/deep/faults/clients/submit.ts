import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "@cardbridge/domain";
import type { Submission } from "./marked-submission.ts";

/** One reply of the service to a client. `status` is undefined if there was no response. */
export interface Reply {
  submission: Submission;
  status: number | undefined;
  /** Why there was no response, such as ECONNRESET; undefined if there was one. */
  failure?: string;
  retryAfter: string | null;
  replayed: boolean;
  body: { kycRecordId?: string; status?: string | null; code?: string; errors?: { rule: string }[] };
}

interface Call {
  url: string;
  key: string;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The client's timeout in milliseconds. */
  timeoutMs?: number;
}

/** Submits once. Never throws. */
export async function submit(submission: Submission, call: Call): Promise<Reply> {
  const timeout = AbortSignal.timeout(call.timeoutMs ?? 60_000);
  try {
    const response = await fetch(`${call.url}/openapi/v1/users/kyc`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${call.key}`,
        "content-type": "application/json",
        ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
      },
      body: JSON.stringify(submission),
      signal: call.signal ? AbortSignal.any([timeout, call.signal]) : timeout,
    });
    return {
      submission,
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      replayed: response.headers.has("idempotent-replayed"),
      body: (await response.json()) as Reply["body"],
    };
  } catch (error) {
    const failure = failureOf(error);
    return { submission, status: undefined, failure, retryAfter: null, replayed: false, body: {} };
  }
}

/** Why a call of `fetch` got no response: a code such as ECONNRESET, or the name of the error. */
export function failureOf(error: unknown): string {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorCode(origin) || (origin instanceof Error ? origin.name : String(origin));
}

/** Whether the reply acknowledges the submission: a result, or a refusal with its record. */
export function isAcknowledged({ status, body }: Reply): boolean {
  return status === 200 || status === 202 || (status === 422 && body.kycRecordId !== undefined);
}

/** Repeats a submission, as clients do, until it is acknowledged or a minute has passed. */
export async function submitUntilAcknowledged(once: () => Promise<Reply>): Promise<Reply> {
  let reply = await once();
  for (let tries = 0; !isAcknowledged(reply) && tries < 200; tries += 1) {
    await wait(300);
    reply = await once();
  }
  return reply;
}
