import type { WebhookDelivery } from "@cardbridge/domain";
import type { NounDetails, Report } from "./details.ts";

/** The columns of deliveries, also of those that belong to a record. */
export const deliveryColumns = "deliveryId type sequence status attempts createdAt dueAt endpointId";

export const webhooks = {
  list: { columns: { endpoints: "endpointId enabled disabledReason failingSince eventTypes url" } },
  create: { alone: "secret" },
  rotateSecret: { alone: "secret" },
  test: { report: requireEnabled },
  deliveries: { columns: { items: deliveryColumns } },
  redeliver: { report: requireEnabled },
} satisfies NounDetails<"webhooks">;

/** A disabled endpoint receives nothing: its deliveries have failed. */
function requireEnabled({ endpointId, status }: WebhookDelivery): Report {
  return status === "pending" ? {} : { problem: `${endpointId} is disabled: enable it first.` };
}
