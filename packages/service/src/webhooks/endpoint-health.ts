import { type EndpointHealth, endpointHealth, endpointHealthQuery } from "@cardbridge/domain";
import { and, asc, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { platforms, webhookAttempts, webhookDeliveries, webhookEndpoints } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { hasKey } from "../operation/authorize.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleEndpoint, readEndpoints, shownOrNull } from "./endpoint.ts";

/** Lists the endpoints of all platforms that the caller may access, with what waits for them. */
export const readEndpointHealth = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "webhooks.endpointHealth",
  kind: "read",
  summary: "List webhook endpoints and whether they receive",
  description:
    "Lists the endpoints of the platforms that the caller may access, first those whose last attempt failed or that the " +
    "service disabled. With the scope ops.webhooks, it shows their addresses.",
  input: endpointHealthQuery,
  rules: [],
  output: endpointHealth,
  example: {
    input: { failing: true },
    output: {
      endpoints: [
        {
          platformId: "plt_01jexample0000000000000000",
          platformName: "Example Ltd",
          endpointId: exampleEndpoint.endpointId,
          description: exampleEndpoint.description,
          url: exampleEndpoint.url,
          enabled: true,
          disabledReason: null,
          disabledAt: null,
          failingSince: "2026-01-31T11:00:00.000Z",
          nextAttemptAt: "2026-01-31T11:24:00.000Z",
          lastStatus: 500,
          lastReason: null,
          pending: 4,
          failed: 2,
        },
      ],
      more: false,
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run(ports, call, { platformIds, failing = false }) {
    const visible = namedPlatforms(call, platformIds);
    const rows = await ports.database.asOperators(visible, (tx) => readHealth(tx, failing));
    const shown = rows.slice(0, maxEndpoints);
    const urls =
      !hasKey(call) || call.scopes.has("ops.webhooks")
        ? await readUrls(ports, shown)
        : new Map<string, string>();
    const endpoints = shown.map((row) => ({ ...row, url: urls.get(row.endpointId) ?? null }));
    return { data: { endpoints, more: rows.length > maxEndpoints } };
  },
});

const maxEndpoints = 200;
const maxCounted = 1_000;
/** The deliveries among which the last attempt of an endpoint is looked for, from each of two ends. */
const maxLooked = 10;

/** An endpoint whose last attempt failed, or that the service disabled. Who disables one on purpose knows it. */
const isFailing = or(
  inArray(webhookEndpoints.disabledReason, ["gone", "failing", "backlog"]),
  and(isNull(webhookEndpoints.disabledAt), isNotNull(webhookEndpoints.failingSince)),
);

const isPending = sql`${webhookDeliveries.status} = 'pending'`;
const ofEndpoint = sql`${webhookDeliveries.endpointId} = ${webhookEndpoints.id}`;

/** Counts an endpoint's deliveries in an index, up to a limit. */
const counted = (condition: SQL) => sql<number>`(
  select count(*)::int from (
    select from ${webhookDeliveries} where ${ofEndpoint} and ${condition} limit ${maxCounted}
  ) as counted
)`;

const deliveryIds = (condition: SQL, order: SQL) => sql`(
  select ${webhookDeliveries.id} from ${webhookDeliveries} where ${ofEndpoint} and ${condition}
  order by ${order} limit ${maxLooked}
)`;

/**
 * The last attempt of a failing endpoint, among its newest deliveries and those that are due last. Of a long queue, the
 * newest have no attempt yet, and those that are due later have one.
 */
function lastAttempt(tx: Tx) {
  const newest = deliveryIds(
    sql`true`,
    sql`${webhookDeliveries.createdAt} desc, ${webhookDeliveries.id} desc`,
  );
  const waiting = deliveryIds(isPending, sql`${webhookDeliveries.dueAt} desc, ${webhookDeliveries.id} desc`);
  return tx
    .select({ status: webhookAttempts.status, reason: webhookAttempts.reason })
    .from(sql`(${newest} union ${waiting}) as looked (id)`)
    .innerJoin(
      webhookAttempts,
      and(
        eq(webhookAttempts.platformId, webhookEndpoints.platformId),
        eq(webhookAttempts.deliveryId, sql`looked.id`),
      ),
    )
    .where(isFailing)
    .orderBy(desc(webhookAttempts.startedAt))
    .limit(1)
    .as("last");
}

/** The endpoints of the visible platforms, from their own state, the longest failing first; up to one too many. */
function readHealth(tx: Tx, failing: boolean) {
  const last = lastAttempt(tx);
  const due = sql`(select min(${webhookDeliveries.dueAt}) from ${webhookDeliveries} where ${ofEndpoint} and ${isPending})`;
  return tx
    .select({
      platformId: webhookEndpoints.platformId,
      platformName: platforms.name,
      endpointId: webhookEndpoints.id,
      description: webhookEndpoints.description,
      enabled: sql<boolean>`${webhookEndpoints.disabledAt} is null`,
      disabledReason: webhookEndpoints.disabledReason,
      disabledAt: shownOrNull(sql`${webhookEndpoints.disabledAt}`),
      failingSince: shownOrNull(sql`${webhookEndpoints.failingSince}`),
      nextAttemptAt: shownOrNull(due),
      lastStatus: last.status,
      lastReason: last.reason,
      pending: counted(isPending),
      failed: counted(
        sql`${webhookDeliveries.status} = 'failed' and ${webhookDeliveries.createdAt} > now() - interval '24 hours'`,
      ),
    })
    .from(webhookEndpoints)
    .innerJoin(platforms, eq(platforms.id, webhookEndpoints.platformId))
    .leftJoinLateral(last, sql`true`)
    .where(and(isNull(webhookEndpoints.deletedAt), failing ? isFailing : undefined))
    .orderBy(
      desc(sql`coalesce(${isFailing}, false)`),
      asc(webhookEndpoints.failingSince),
      asc(platforms.name),
      asc(webhookEndpoints.id),
    )
    .limit(maxEndpoints + 1);
}

/** The addresses of endpoints by their ids. Operators' transactions read nothing encrypted. */
async function readUrls(
  ports: Pick<Ports, "database" | "personalDataKeys">,
  shown: readonly Pick<EndpointHealth["endpoints"][number], "platformId">[],
): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const platformId of new Set(shown.map((row) => row.platformId))) {
    for (const { endpointId, url } of await readEndpoints(ports, platformId)) urls.set(endpointId, url);
  }
  return urls;
}
