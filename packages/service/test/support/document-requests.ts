import {
  type AnswerReply,
  defaultPolicies,
  type KycRequestUpdated,
  type ProviderAnswer,
  type ProviderDocumentRequest,
  type ProviderReply,
} from "@cardbridge/domain";
import { recordRequests } from "../../src/document-requests/record.ts";
import { createOperations, type Ports, resolveDue } from "../../src/index.ts";
import { callOf } from "./calls.ts";
import { answered, type Submitted, type World } from "./world.ts";

const { kyc } = createOperations(defaultPolicies);

/** A request of the provider for a bank statement. */
export const aRequestForDocument = (
  changes: Partial<ProviderDocumentRequest> = {},
): ProviderDocumentRequest => ({
  id: "req_1",
  documentType: "BANK_STATEMENT",
  accepts: ["BANK_STATEMENT", "UTILITY_BILL"],
  reason: "SUPPORTING_DOCUMENT_OUTDATED",
  requestedAt: "2026-01-31T12:00:00.000Z",
  dueAt: "2026-02-14T12:00:00.000Z",
  status: "open",
  revision: 1,
  ...changes,
});

export const statement = (name = "statement") => ({
  documentType: "BANK_STATEMENT",
  fileUrl: `https://files.example.com/${name}.pdf`,
});

/** A provider whose review asks for documents. Tests change what it shows, and how it replies to answers. */
export function requestingProvider() {
  const provider = {
    reports: [aRequestForDocument()] as ProviderDocumentRequest[],
    subStatus: "pending_approval",
    revision: 1,
    replies: [] as (AnswerReply | Error)[],
    answers: [] as ProviderAnswer[],
    async findKyc(): Promise<ProviderReply> {
      const { subStatus, revision, reports } = provider;
      return { outcome: "answered", subStatus, cardAccountId: null, revision, requests: reports };
    },
    async answerRequest(answer: ProviderAnswer): Promise<AnswerReply> {
      provider.answers.push(answer);
      const reply = provider.replies.shift() ?? { outcome: "accepted" };
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
  return provider;
}

/** A record in review whose provider asks for a bank statement. */
export async function askedRecord(world: World, provider = requestingProvider()) {
  const { kyc: records, submitted } = world;
  const created = await submitted();
  const { platformId, record, kycRecordId } = created;
  const { record: inReview } = await records.storeVerdict(platformId, record, answered("pending_approval"));
  const ports = { ...world.ports, provider: { ...world.ports.provider, ...provider } } as Ports;
  await recordRequests(ports, platformId, created.about, provider.reports, "event");
  return {
    ...created,
    record: inReview,
    ports,
    provider,
    ...callsOf({ ports, platformId, kycRecordId }, world),
  };
}

type Calls = Pick<Submitted, "platformId" | "kycRecordId"> & { ports: Ports };

function callsOf({ ports, platformId, kycRecordId }: Calls, { admin }: World) {
  const by = (of = platformId) => callOf("platform", { platformId: of, scopes: ["kyc:write", "kyc:read"] });
  return {
    async requests() {
      const { data } = await kyc.history.execute(ports, by(), { kycRecordId });
      return data.requests;
    },
    async answer(files: object[] = [statement()], { of, id }: { of?: string; id?: string } = {}) {
      const { data } = await kyc.history.execute(ports, by(), { kycRecordId });
      const documentRequestId = id ?? data.requests[0]?.documentRequestId;
      return kyc.answerRequest.execute(ports, by(of), { kycRecordId, documentRequestId, files });
    },
    /** Lets the worker make the record's next attempt now. */
    async attempt(by = ports) {
      await admin("update kyc_records set due_at = now(), lease_until = null where id = $1", [kycRecordId]);
      for (const due of await ports.kycRecords.leaseDue(100)) await resolveDue(by, due);
    },
    /** The changes of the record's requests, oldest first. */
    async changes(): Promise<{ request: KycRequestUpdated; source: string }[]> {
      return admin(
        "select event - 'type' as request, source from kyc_history where record_id = $1 and event is not null order by id",
        [kycRecordId],
      );
    },
  };
}
