import { type Fetch, restSubmit } from "./call.ts";
import { newSubmission } from "./test-service.ts";

/** Submits a user whose provider asks for a bank statement, and returns the ids of the record and of the request. */
export async function askedRecord(caller: { fetch: Fetch; key: string }) {
  const { body } = await restSubmit(caller, newSubmission("asks-bank-statement"));
  const { kycRecordId } = body as { kycRecordId: string };
  const headers = { authorization: `Bearer ${caller.key}` };
  const response = await caller.fetch(`/openapi/v1/users/kyc/${kycRecordId}`, { headers });
  const { requests } = (await response.json()) as { requests: { documentRequestId: string }[] };
  const [request] = requests;
  if (!request) throw new Error("The provider asked for no document.");
  return { kycRecordId, documentRequestId: request.documentRequestId };
}
