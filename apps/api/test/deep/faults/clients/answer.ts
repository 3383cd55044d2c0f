import { setTimeout as wait } from "node:timers/promises";
import type { DocumentRequest } from "@cardbridge/domain";

export interface AnswerFile {
  documentType: string;
  fileUrl: string;
}

/** A document request of a record, which a client answers. */
export interface Asked {
  kycRecordId: string;
  documentRequestId: string;
}

/** One reply of the service to an answer. `status` is undefined if there was no response. */
export interface AnswerReply extends Asked {
  files: AnswerFile[];
  status: number | undefined;
  body: Partial<DocumentRequest> & { code?: string };
}

interface Call {
  url: string;
  key: string;
  timeoutMs?: number;
}

const headersOf = ({ key }: Call) => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
});

/** Answers a document request once. Never throws. */
export async function answerRequest(asked: Asked, files: AnswerFile[], call: Call): Promise<AnswerReply> {
  const { kycRecordId, documentRequestId } = asked;
  const path = `/openapi/v1/users/kyc/${kycRecordId}/requests/${documentRequestId}`;
  try {
    const response = await fetch(`${call.url}${path}`, {
      method: "POST",
      headers: headersOf(call),
      body: JSON.stringify({ files }),
      signal: AbortSignal.timeout(call.timeoutMs ?? 60_000),
    });
    const body = (await response.json()) as AnswerReply["body"];
    return { ...asked, files, status: response.status, body };
  } catch {
    return { ...asked, files, status: undefined, body: {} };
  }
}

/** Repeats an answer, as clients do, until it gets a status below 500 other than 429, or a minute has passed. */
export async function answerUntilDecided(once: () => Promise<AnswerReply>): Promise<AnswerReply> {
  let reply = await once();
  const isUndecided = () => reply.status === undefined || reply.status === 429 || reply.status >= 500;
  for (let tries = 0; isUndecided() && tries < 200; tries += 1) {
    await wait(300);
    reply = await once();
  }
  return reply;
}

/** Reads the document requests of a record, oldest first. */
export async function readRequests(kycRecordId: string, call: Call): Promise<DocumentRequest[]> {
  const response = await fetch(`${call.url}/openapi/v1/users/kyc/${kycRecordId}`, {
    headers: headersOf(call),
  });
  return ((await response.json()) as { requests: DocumentRequest[] }).requests;
}
