import { ReasonError } from "@cardbridge/domain";
import { type ClientBase, DatabaseError } from "pg";
import { isUnavailable } from "./failures.ts";

// A standby that becomes the primary starts a new timeline, which is the first part of the name of a WAL file.
const question = `
  select system_identifier::text as system,
    case when pg_is_in_recovery() then 0
      else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline
  from pg_control_system()`;

interface Origin {
  system: string;
  /** 0 for a standby. */
  timeline: number;
}

/** The newest timeline of each database system that a connection of this process led to. */
const newest = new Map<string, number>();
const origins = new WeakMap<object, Origin>();

/**
 * Checks that a new connection leads to the primary.
 * @throws ReasonError `server-in-recovery` for a standby, and `server-replaced` for a server on an older timeline than
 *   one that this process has seen; the errors of the driver.
 */
export async function checkServer(client: ClientBase): Promise<void> {
  const origin = await readOrigin(client);
  if (!origin) return;
  if (origin.timeline === 0) throw new ReasonError("server-in-recovery");
  const { system, timeline } = origin;
  newest.set(system, Math.max(timeline, newest.get(system) ?? 0));
  origins.set(client, origin);
  if (isReplaced(client)) throw new ReasonError("server-replaced");
}

/** True when another connection has since led to a newer timeline: what this server commits is lost. */
export function isReplaced(client: object): boolean {
  const origin = origins.get(client);
  return origin !== undefined && origin.timeline < (newest.get(origin.system) ?? 0);
}

/** Undefined for a server that does not tell, as some services with PostgreSQL's protocol. */
async function readOrigin(client: ClientBase): Promise<Origin | undefined> {
  try {
    return (await client.query<Origin>(question)).rows[0];
  } catch (error) {
    if (error instanceof DatabaseError && !isUnavailable(error)) return undefined;
    throw error;
  }
}
