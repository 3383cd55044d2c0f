import { type DocumentRequest, type DocumentRequestState, toDocumentRequest } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { documentRequests } from "../database/schema.ts";

/** What callers see of a request. */
export const requestFields = {
  documentRequestId: documentRequests.id,
  documentType: documentRequests.documentType,
  accepts: documentRequests.accepts,
  reason: documentRequests.reason,
  requestedAt: documentRequests.requestedAt,
  dueAt: documentRequests.dueAt,
  status: documentRequests.status,
  revision: documentRequests.revision,
  together: documentRequests.together,
  answeredAt: documentRequests.answeredAt,
  sentAt: documentRequests.sentAt,
};

type Moment = "requestedAt" | "dueAt" | "answeredAt" | "sentAt";
/** A selected row; in PostgreSQL's JSON, its times are texts with the offset of the session. */
type RequestRow = Omit<DocumentRequestState, Moment> & {
  requestedAt: Date | string;
} & Record<Exclude<Moment, "requestedAt">, Date | string | null>;

const shown = (moment: Date | string) => new Date(moment).toISOString();
const shownIf = (moment: Date | string | null) => (moment === null ? null : shown(moment));

/** Converts a selected row into a request. */
export const toState = ({
  requestedAt,
  dueAt,
  answeredAt,
  sentAt,
  ...row
}: RequestRow): DocumentRequestState => ({
  ...row,
  requestedAt: shown(requestedAt),
  dueAt: shownIf(dueAt),
  answeredAt: shownIf(answeredAt),
  sentAt: shownIf(sentAt),
});

export const toShownRequest = (row: RequestRow): DocumentRequest => toDocumentRequest(toState(row));

const json = sql.join(
  Object.entries(requestFields).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`),
  sql`, `,
);

/** The requests of a selected record, oldest first, as a column of the select: reading them needs no other statement. */
export const requestsOfRecord = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(${json}) order by ${documentRequests.requestedAt}, ${documentRequests.id}), '[]')
  from ${documentRequests}
  where (platform_id, record_id) = (kyc_records.platform_id, kyc_records.id)
)`.mapWith((rows: RequestRow[]) => rows.map(toState));
