import {
  applyDocumentRequest,
  type DocumentRequestState,
  Failure,
  type KycChange,
  type KycReference,
  maxRequests,
  type ProviderDocumentRequest,
} from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { documentRequests } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { observeUnknown } from "../operation/observe-unknown.ts";
import { platformOf } from "../operation/platform-of.ts";
import type { Ports } from "../operation/ports.ts";
import { lockRecordOf } from "./lock.ts";
import { requestFields, toState } from "./read.ts";

type RecordPorts = Pick<Ports, "database" | "ids">;

/**
 * Stores what the provider reports about the document requests of a record. Reports may arrive repeatedly, late and in
 * any order (gap G43). Only changes are written, each with its row of the record's history.
 * @throws Failure SERVICE_UNAVAILABLE.
 */
export async function recordRequests(
  { database, ids }: RecordPorts,
  platformId: string,
  { reference: kycRecordId, userReference }: KycReference,
  reports: readonly ProviderDocumentRequest[],
  source: Extract<KycChange["source"], "provider" | "event">,
): Promise<boolean> {
  return database.asPlatform<boolean>(platformId, async (tx) => {
    const record = await lockRecordOf(tx, platformId, kycRecordId);
    if (record.externalUserId !== userReference) return pipelineCommit([], () => false);
    const { now, known } = await readKnown(tx, platformId, kycRecordId);
    const writes: Promise<unknown>[] = [];
    for (const report of reports) {
      const before = known.get(report.id) ?? null;
      if (before === null && known.size >= maxRequests) continue;
      const documentRequestId = before?.documentRequestId ?? ids.documentRequestId();
      const after = applyDocumentRequest(before, report, { documentRequestId, state: record, now });
      known.set(report.id, after);
      if (after !== before)
        writes.push(write(tx, { platformId, kycRecordId, providerId: report.id, source }, after));
    }
    return pipelineCommit(writes, () => true);
  });
}

/**
 * Stores the requests of an event of the provider.
 * @throws Failure KYC_RECORD_NOT_FOUND
 */
export async function recordRequestEvent(
  ports: RecordPorts & Pick<Ports, "observer">,
  { requests, ...reference }: KycReference & { requests: readonly ProviderDocumentRequest[] },
): Promise<void> {
  const platformId = await platformOf(ports.database, "record", reference.reference);
  if (platformId !== null && (await recordRequests(ports, platformId, reference, requests, "event"))) return;
  await observeUnknown(ports, reference.reference);
  throw new Failure("KYC_RECORD_NOT_FOUND");
}

/** The record's requests by the provider's ids, and the database's clock. */
async function readKnown(tx: Tx, platformId: string, kycRecordId: string) {
  const { providerId, recordId } = documentRequests;
  const [[clock], rows] = await Promise.all([
    tx.select({ now: sql<string>`clock_timestamp()` }).from(sql`(values (1)) as one`),
    tx
      .select({ providerId, ...requestFields })
      .from(documentRequests)
      .where(and(eq(documentRequests.platformId, platformId), eq(recordId, kycRecordId))),
  ]);
  const now = new Date(clock?.now ?? 0).toISOString();
  const known = new Map(rows.map(({ providerId, ...row }) => [providerId, toState(row)]));
  return { now, known };
}

interface RequestRow {
  platformId: string;
  kycRecordId: string;
  providerId: string;
  source: KycChange["source"];
}

function write(
  tx: Tx,
  { platformId, kycRecordId: recordId, providerId, source }: RequestRow,
  { documentRequestId: id, requestedAt, dueAt, answeredAt, sentAt, ...state }: DocumentRequestState,
): Promise<unknown> {
  const accepts = [...state.accepts];
  const moments = {
    requestedAt: new Date(requestedAt),
    dueAt: dueAt === null ? null : new Date(dueAt),
    answeredAt: answeredAt === null ? null : new Date(answeredAt),
    sentAt: sentAt === null ? null : new Date(sentAt),
  };
  const columns = { ...state, accepts, ...moments, source };
  return tx
    .insert(documentRequests)
    .values({ platformId, recordId, providerId, id, ...columns })
    .onConflictDoUpdate({
      target: [documentRequests.platformId, documentRequests.recordId, documentRequests.id],
      set: columns,
    })
    .execute();
}
