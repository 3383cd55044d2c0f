import { isDeepStrictEqual } from "node:util";
import type { KycRequestUpdated, KycUpdated, RecordEvent } from "@cardbridge/domain";
import type { AdminConnection } from "../cluster/admin-connection.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Arrival } from "../receiver/receiver.ts";

interface Change {
  record_id: string;
  sequence: number;
  sub_status: string | null;
  /** An event that is no change of the state; null for a change. */
  event: RecordEvent | null;
  /** Whether the platform had an endpoint. */
  subscribed: boolean;
  /** How often its delivery was leased; null without one. */
  lease: number | null;
  delivery: string | null;
}

/** What a receiver of a platform got. It has to get the changes after the history row `since`. */
interface Subscription extends Pick<AdminConnection, "query"> {
  platformId: string;
  since: string;
  arrivals: readonly Arrival[];
}

/** The first arrival of a change, with all of its ids and payloads. */
interface Told {
  type: string;
  data: KycUpdated | KycRequestUpdated;
  contents: Set<string>;
  verified: boolean;
}

/** The promises of webhooks for the receiver of a cluster, if there is one. */
export async function wrongWebhooks({ query, receiver, platformIds }: Cluster): Promise<string[]> {
  if (!receiver.current) return [];
  const arrivals = await receiver.current.arrivals();
  return wrongDeliveries({ query, platformId: platformIds[0], since: receiver.since, arrivals });
}

/**
 * I10: every change is delivered, with one id and one payload. I11: a change that was rolled back is not delivered.
 * I12: a change arrives after all earlier changes of its record, unless an attempt of an earlier change failed.
 */
export async function wrongDeliveries({
  query,
  platformId,
  since,
  arrivals,
}: Subscription): Promise<string[]> {
  const changes = await query<Change>(
    `select h.record_id, h.sequence, h.sub_status, h.event, h.id > $2::bigint as subscribed, d.lease, d.status as delivery
     from (select *, row_number() over (partition by record_id order by id)::int as sequence from kyc_history) h
     left join webhook_deliveries d on d.record_id = h.record_id and d.sequence = h.sequence
     where h.platform_id = $1 order by h.id`,
    [platformId, since],
  );
  const told = new Map<string, Told>();
  const late: string[] = [];
  const newest = new Map<string, number>();
  const leases = new Map(changes.map((change) => [keyOf(change.record_id, change.sequence), change.lease]));
  for (const { id, body, verified } of arrivals) {
    const { type, data } = JSON.parse(body) as Pick<Told, "type" | "data">;
    const { kycRecordId, sequence } = data;
    const key = keyOf(kycRecordId, sequence);
    const known = told.get(key);
    if (known) {
      known.contents.add(`${id} ${body}`);
      known.verified &&= verified;
      continue;
    }
    told.set(key, { type, data, contents: new Set([`${id} ${body}`]), verified });
    if (sequence < (newest.get(kycRecordId) ?? 0) && leases.get(key) === 1) late.push(`I12: ${key} is late`);
    newest.set(kycRecordId, Math.max(sequence, newest.get(kycRecordId) ?? 0));
  }
  return [...untold(changes, told), ...invented(changes, told), ...late];
}

const keyOf = (record: string, sequence: number) => `${record}/${sequence}`;

function untold(changes: readonly Change[], told: ReadonlyMap<string, Told>): string[] {
  return changes
    .filter(({ subscribed }) => subscribed)
    .flatMap(({ record_id, sequence, delivery }) => {
      const key = keyOf(record_id, sequence);
      const found = told.get(key);
      if (!found) return [`I10: ${key} was never delivered (${delivery})`];
      if (delivery !== "delivered") return [`I10: ${key} arrived and is ${delivery}`];
      if (found.contents.size > 1) return [`I10: ${key} has ${found.contents.size} ids or payloads`];
      return found.verified ? [] : [`I10: ${key} is not signed by the endpoint's secret`];
    });
}

function invented(changes: readonly Change[], told: ReadonlyMap<string, Told>): string[] {
  const stored = new Map(changes.map((change) => [keyOf(change.record_id, change.sequence), change]));
  return [...told].flatMap(([key, { type, data }]) => {
    const change = stored.get(key);
    if (!change) return [`I11: ${key} was delivered and is not in the history`];
    const isTold =
      "subStatus" in data
        ? isState(change, data.subStatus)
        : isDeepStrictEqual(change.event, eventIn(type, data));
    return isTold ? [] : [`I11: ${key} contains ${JSON.stringify(data)}`];
  });
}

const isState = ({ event, sub_status }: Change, told: string | null) => event === null && sub_status === told;

function eventIn(
  type: string,
  { kycRecordId: _, externalUserId: __, sequence: ___, ...event }: KycRequestUpdated,
) {
  return { type, ...event };
}
