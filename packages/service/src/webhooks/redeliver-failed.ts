import { maxRedeliveriesPerHour, redeliveredWebhooks, redeliverFailedInput } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { webhookEndpoints } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleEndpoint, forWebhooks, found, isEndpoint } from "./endpoint.ts";
import { dueAgain, isLimited } from "./redeliver.ts";

/** The maximum number of deliveries that one call makes due. */
const maxRedelivered = 1_000;

/** Sends again an endpoint's failed deliveries of the events since a time. */
export const redeliverFailedWebhooks = defineOperation({
  ...forWebhooks,
  id: "webhooks.redeliverFailed",
  kind: "write",
  rest: { method: "post", path: "/webhooks/{endpointId}/redeliver", tag: "Webhooks" },
  summary: "Redeliver the failed deliveries",
  description:
    "Sends again the failed deliveries of the events since a time, with the same webhook-ids. They include events from " +
    "the time when the endpoint was disabled; enable it first. Each call has a limit: repeat it while more is true. " +
    `A delivery that was sent again ${maxRedeliveriesPerHour} times within an hour is skipped.`,
  scopes: ["webhooks:write", "ops.webhooks"],
  input: redeliverFailedInput,
  rules: [],
  output: redeliveredWebhooks,
  example: {
    input: { endpointId: exampleEndpoint.endpointId, since: "2026-01-31T00:00:00.000Z" },
    output: { redelivered: 3, more: false },
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  audit: ["done", "WEBHOOK_ENDPOINT_NOT_FOUND"],

  async run({ database }, { platformId }, { endpointId, since }) {
    type Redelivered = { redelivered: number; more: boolean };
    const data = await database.asPlatform<Redelivered | null>(platformId, async (tx) => {
      const endpoint = tx
        .select({ id: webhookEndpoints.id })
        .from(webhookEndpoints)
        .where(isEndpoint(platformId, endpointId));
      const due = tx.execute(sql`
        update webhook_deliveries as d
        set ${dueAgain}
        where d.platform_id = ${platformId} and d.id in (
          select f.id from webhook_deliveries as f
          where f.endpoint_id = ${endpointId} and f.status = 'failed' and f.created_at >= ${new Date(since).toISOString()}
            and not ${isLimited}
            and exists (select from webhook_endpoints as e where e.id = f.endpoint_id and e.disabled_at is null)
          order by f.created_at, f.id
          limit ${maxRedelivered}
          for update skip locked
        )`);
      return pipelineCommit([endpoint, due], ([[isFound], { rowCount }]) => {
        const redelivered = rowCount ?? 0;
        return isFound ? { redelivered, more: redelivered === maxRedelivered } : null;
      });
    });
    return { data: found(data), subject: endpointId };
  },
});
