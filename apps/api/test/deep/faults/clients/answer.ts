import type { DocumentRequest } from "@cardbridge/domain";
import { expect } from "vitest";
import type { Submission } from "./marked-submission.ts";

/** The sandbox asks the users of this tag for a bank statement, and approves them two seconds after the answer. */
export const asksStatement = "asks-bank-statement";

/** One answer to a document request. `status` is undefined if there was no response. */
export interface Answer {
  documentRequestId: string;
  fileUrl: string;
  status: number | undefined;
}

interface Call {
  url: string;
  key: string;
  timeoutMs?: number;
}

/** Answers the document request of a record once, with a file whose URL contains the submission's mark. */
export async function answerRequest(
  { frontImageUrl }: Submission,
  kycRecordId: string,
  { url, key, timeoutMs = 60_000 }: Call,
): Promise<Answer> {
  const path = `${url}/openapi/v1/users/kyc/${kycRecordId}`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const record = await fetch(path, { headers });
  const { requests } = (await record.json()) as { requests: DocumentRequest[] };
  expect(requests).toMatchObject([{ documentType: "BANK_STATEMENT", status: "open" }]);
  const [{ documentRequestId = "" } = {}] = requests;
  const fileUrl = frontImageUrl.replace("front", "answer");
  const body = JSON.stringify({ files: [{ documentType: "BANK_STATEMENT", fileUrl }] });
  const signal = AbortSignal.timeout(timeoutMs);
  const status = await fetch(`${path}/requests/${documentRequestId}`, {
    ...{ method: "POST", headers, body, signal },
  }).then(
    (response) => response.status,
    () => undefined,
  );
  return { documentRequestId, fileUrl, status };
}
