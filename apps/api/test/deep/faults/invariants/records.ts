import type { AdminConnection } from "../cluster/admin-connection.ts";

export interface RecordRow {
  id: string;
  user_id: string;
  resolution: "unresolved" | "answered" | "refused";
  status: string | null;
  sub_status: string | null;
  needsAttention: boolean;
  attempt: number;
  /** From the submission to the answer by the database's clock, in milliseconds. */
  resolve_ms: number | null;
}

/** Every record of a cluster, the oldest first. */
export const readRecords = ({ query }: Pick<AdminConnection, "query">) =>
  query<RecordRow>(`select id, user_id, resolution, status, sub_status, needs_attention_since is not null as "needsAttention", attempt,
    (extract(epoch from answered_at - created_at) * 1000)::int as resolve_ms from kyc_records order by created_at`);
