import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Service } from "../cluster/service.ts";
import type { AnswerFile, AnswerReply, Asked } from "./answer.ts";
import type { Submission } from "./marked-submission.ts";

/** The sandbox asks the users of this tag for a bank statement, and approves them two seconds after the answer. */
export const asksStatement = "asks-bank-statement";

/** A file that answers the request for a bank statement. Its URL contains the submission's mark. */
export const statementOf = ({ frontImageUrl }: Submission, name = "answer"): AnswerFile[] => [
  { documentType: "BANK_STATEMENT", fileUrl: frontImageUrl.replace("front", name) },
];

/** Submits, and waits until the service shows the document request. */
export async function submitAsked(
  cluster: Cluster,
  service: Service,
  submission: Submission,
): Promise<Asked> {
  const { body } = await cluster.submit(service, submission);
  const { kycRecordId = "" } = body;
  const [request] = await cluster.requestsOf(service, kycRecordId);
  expect(request).toMatchObject({ documentType: "BANK_STATEMENT", status: "open" });
  return { kycRecordId, documentRequestId: request?.documentRequestId ?? "" };
}

/** Submits and answers once. */
export async function submitAndAnswer(
  cluster: Cluster,
  service: Service,
  submission: Submission,
  timing: { timeoutMs?: number } = {},
): Promise<AnswerReply> {
  const asked = await submitAsked(cluster, service, submission);
  return cluster.answer(service, asked, statementOf(submission), timing);
}

/** Waits until the record is decided, which closes its requests. */
export async function untilClosed(
  cluster: Cluster,
  { kycRecordId, documentRequestId }: Asked,
): Promise<void> {
  await until(async () => {
    await cluster.expireDelays();
    const closed = "select from document_requests where record_id = $1 and id = $2 and status = 'closed'";
    return (await cluster.query(closed, [kycRecordId, documentRequestId])).length > 0;
  });
}
