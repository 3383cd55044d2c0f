import {
  type Policies,
  someWebhookChange,
  updateWebhookEndpointInput,
  webhookEndpoint,
  webhookUrlRule,
} from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { webhookEndpoints } from "../database/schema.ts";
import { defineOperation } from "../operation/define.ts";
import { changeEndpoint, type EndpointColumns } from "./change-endpoint.ts";
import { exampleEndpoint, forWebhooks } from "./endpoint.ts";
import { failPending } from "./fail-pending.ts";

/** Changes, disables or enables an endpoint. */
export const updateWebhookEndpoint = (policies: Policies) =>
  defineOperation({
    ...forWebhooks,
    id: "webhooks.update",
    kind: "write",
    rest: { method: "patch", path: "/webhooks/{endpointId}", tag: "Webhooks" },
    summary: "Change a webhook endpoint",
    description:
      "Changes the given fields of an endpoint. A disabled endpoint receives nothing, its attempts in progress end within about a " +
      "second, and its pending deliveries fail. To deliver them, enable the endpoint and redeliver.",
    scopes: ["webhooks:write", "ops.webhooks"],
    input: updateWebhookEndpointInput,
    rules: [someWebhookChange, webhookUrlRule(policies)],
    output: webhookEndpoint,
    example: {
      input: { endpointId: exampleEndpoint.endpointId, enabled: false },
      output: {
        ...exampleEndpoint,
        enabled: false,
        disabledReason: "requested",
        disabledAt: "2026-02-01T12:00:00.000Z",
      },
    },
    errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
    audit: ["done", "WEBHOOK_ENDPOINT_NOT_FOUND"],

    async run(ports, { platformId }, { endpointId, url, ...given }) {
      const endpoint = { platformId, endpointId };
      const data = await changeEndpoint(ports, endpoint, {
        columns: columnsOf(given),
        target: (current) => ({ ...current, url: url ?? current.url }),
      });
      if (!data.enabled) await failPending(ports.database, endpoint);
      return { data, subject: endpointId };
    },
  });

type Change = z.output<typeof updateWebhookEndpointInput>;

/** An undefined field stays unchanged. */
function columnsOf({
  eventTypes,
  description,
  enabled,
}: Omit<Change, "endpointId" | "url">): EndpointColumns {
  return {
    ...(eventTypes && { eventTypes }),
    ...(description !== undefined && { description }),
    ...(enabled === true && enabledAnew),
    ...(enabled === false && requestedDisabling),
  };
}

/** Enabling an endpoint that is already enabled does not reset `failingSince`. */
const { disabledAt, disabledReason, failingSince } = webhookEndpoints;
const enabledAnew: Record<string, SQL | null> = {
  disabledAt: null,
  disabledReason: null,
  failingSince: sql`case when ${disabledAt} is null then ${failingSince} end`,
};

/** Disabling an endpoint that is already disabled does not change its reason. */
const requestedDisabling: Record<string, SQL> = {
  disabledAt: sql`coalesce(${disabledAt}, clock_timestamp())`,
  disabledReason: sql`coalesce(${disabledReason}, 'requested')`,
};
