import { makeWorld } from "./world.ts";

/** A row of kyc_records for a search. */
export interface SearchableRecord {
  id: string;
  platformId: string;
  createdAt?: string;
  resolution?: "unresolved" | "answered" | "refused";
  status?: string | null;
  explanation?: object | null;
  documentExpiry?: "valid" | "expiring" | "expired";
  due?: boolean;
  needsAttention?: boolean;
}

/** A database whose records are inserted as rows. */
export async function makeSearchable(options: { maxConnections?: number } = {}) {
  const world = await makeWorld(options);
  const { admin } = world;
  return {
    ...world,

    /** Creates a platform with a user, and returns the platform's id. */
    async platformWithUser() {
      const platformId = await world.platform();
      await admin(
        `insert into users (id, platform_id, member_id_index, encrypted, data_key, key_version)
         values ('usr_' || $1, $1, '', '', '', 1)`,
        [platformId],
      );
      return platformId;
    },

    insert: (...records: SearchableRecord[]) =>
      admin(
        `insert into kyc_records (id, platform_id, user_id, resolution, status, explanation, document_expiry, attempt,
           due_at, needs_attention_since, created_at)
         select r.id, r."platformId", 'usr_' || r."platformId", coalesce(r.resolution, 'unresolved'), r.status,
           r.explanation, r."documentExpiry", 1, case when r.due then now() end, case when r."needsAttention" then now() end,
           coalesce(r."createdAt", clock_timestamp())
         from jsonb_to_recordset($1) as r (id text, "platformId" text, resolution text, status text, explanation jsonb,
           "documentExpiry" text, due boolean, "needsAttention" boolean, "createdAt" timestamptz)`,
        [
          JSON.stringify(
            records.map((record) => ({
              ...record,
              due:
                record.due ??
                (!record.needsAttention && (record.resolution ?? "unresolved") === "unresolved"),
            })),
          ),
        ],
      ),

    assign: (platformId: string, recordId: string, assignee: string | null, version = 1) =>
      admin(
        "insert into record_assignments (platform_id, record_id, assignee, version) values ($1, $2, $3, $4)",
        [platformId, recordId, assignee, version],
      ),
  };
}
