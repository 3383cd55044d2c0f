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
  searchDeliveries: {
    example: "webhooks search-deliveries --status failed",
    columns: {
      deliveries:
        "createdAt platformName status attempts lastStatus lastReason type kycRecordId endpointId deliveryId",
    },
  },
  redeliverMany: {
    example: "webhooks redeliver-many --preview true --endpoint-id whe_…",
    report: ({ matching, redelivered, more }, { preview }) => ({
      text: preview
        ? `${matching} deliveries can be sent again.`
        : `${redelivered} of ${matching} deliveries are due now.${more ? " Run the command again for the others." : ""}`,
    }),
  },
  endpointHealth: {
    columns: {
      endpoints:
        "endpointId platformName enabled disabledReason failingSince nextAttemptAt lastStatus lastReason pending failed platformId",
    },
    // The counts end there.
    report: ({ endpoints }) =>
      endpoints.some(({ pending, failed }) => Math.max(pending, failed) === 1_000)
        ? { note: "A count of 1,000 means 1,000 or more." }
        : {},
  },
} satisfies NounDetails<"webhooks">;

/** A disabled endpoint receives nothing: its deliveries have failed. */
function requireEnabled({ endpointId, status }: WebhookDelivery): Report {
  return status === "pending" ? {} : { problem: `${endpointId} is disabled: enable it first.` };
}
