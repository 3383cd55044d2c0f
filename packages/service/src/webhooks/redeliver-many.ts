import { maxRedeliveriesPerHour, redeliveredMany, redeliverManyInput } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";

/** Sends again failed deliveries of several platforms. */
export const redeliverWebhooks = defineOperation({
  ...forOperators("ops.webhooks"),
  reach: "platforms",
  id: "webhooks.redeliverMany",
  kind: "write",
  summary: "Redeliver many deliveries",
  description:
    "Sends again the failed deliveries that match the filter, oldest first, up to `limit`. With `preview`, it counts them " +
    "only. It skips deliveries of disabled endpoints, and those that were sent again " +
    `${maxRedeliveriesPerHour} times within an hour. Repeat the call while more is true.`,
  input: redeliverManyInput,
  rules: [],
  output: redeliveredMany,
  example: { input: { preview: true }, output: { matching: 3, redelivered: 0, more: true } },
  errors: ["PLATFORM_NOT_FOUND"],
  // The repository audits each platform in its transaction.
  audit: [],

  async run({ webhookSearch }, call, { platformIds, preview, limit, ...filter }) {
    const by = originOf(call);
    const platforms = namedPlatforms(call, platformIds);
    return { data: await webhookSearch.redeliver(platforms, filter, preview ? 0 : limit, by) };
  },
});
