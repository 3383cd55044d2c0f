import { type EndpointHealth, endpointHealth, endpointHealthQuery } from "@cardbridge/domain";
import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { platforms, webhookDeliveries, webhookEndpoints } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleEndpoint } from "./endpoint.ts";

/** Lists the failing endpoints of all platforms that the caller may access. */
export const readEndpointHealth = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "webhooks.endpointHealth",
  kind: "read",
  summary: "List failing webhook endpoints",
  description:
    "Lists the endpoints whose last attempt failed, and those that the service disabled for it, on the platforms that the " +
    "caller may access.",
  input: endpointHealthQuery,
  rules: [],
  output: endpointHealth,
  example: {
    input: {},
    output: {
      failing: [
        {
          platformId: "plt_01jexample0000000000000000",
          platformName: "Example Ltd",
          endpointId: exampleEndpoint.endpointId,
          enabled: true,
          failingSince: "2026-01-31T11:00:00.000Z",
          pending: 4,
          failed: 2,
        },
      ],
      endpoints: 7,
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ database }, call, { platformIds }) {
    return { data: await database.asOperators(namedPlatforms(call, platformIds), readHealth) };
  },
});

const maxEndpoints = 200;
const maxCounted = 1_000;

/** An endpoint whose last attempt failed, or that the service disabled. Who disables one on purpose knows it. */
const isFailing = or(
  inArray(webhookEndpoints.disabledReason, ["gone", "failing"]),
  and(isNull(webhookEndpoints.disabledAt), isNotNull(webhookEndpoints.failingSince)),
);

/** Counts an endpoint's deliveries in an index, up to a limit. */
const counted = (condition: SQL) => sql<number>`(
  select count(*)::int from (
    select from ${webhookDeliveries}
    where ${webhookDeliveries.endpointId} = ${webhookEndpoints.id} and ${condition} limit ${maxCounted}
  ) as counted
)`;

/** The failing endpoints of the visible platforms, from their own state, the longest failing first. */
async function readHealth(tx: Tx): Promise<EndpointHealth> {
  const all = tx
    .select({ count: sql<number>`count(*)::int` })
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.deletedAt));
  const failing = tx
    .select({
      platformId: webhookEndpoints.platformId,
      platformName: platforms.name,
      endpointId: webhookEndpoints.id,
      enabled: sql<boolean>`${webhookEndpoints.disabledAt} is null`,
      failingSince: shownMoment(sql`${webhookEndpoints.failingSince}`) as SQL<string | null>,
      pending: counted(sql`${webhookDeliveries.status} = 'pending'`),
      failed: counted(
        sql`${webhookDeliveries.status} = 'failed' and ${webhookDeliveries.createdAt} > now() - interval '24 hours'`,
      ),
    })
    .from(webhookEndpoints)
    .innerJoin(platforms, eq(platforms.id, webhookEndpoints.platformId))
    .where(and(isNull(webhookEndpoints.deletedAt), isFailing))
    .orderBy(asc(webhookEndpoints.failingSince), asc(webhookEndpoints.id))
    .limit(maxEndpoints);
  const [count, rows] = await Promise.all([all, failing]);
  return { failing: rows, endpoints: requireRow(count, "count").count };
}
