import { deliverySearchPage, deliverySearchQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleFound } from "./example.ts";

/** Searches the deliveries of all platforms that the caller may access. */
export const searchWebhookDeliveries = defineOperation({
  ...forOperators("ops.webhooks"),
  reach: "platforms",
  id: "webhooks.searchDeliveries",
  kind: "read",
  summary: "Search webhook deliveries",
  description:
    "Searches the deliveries of the last 30 days over the endpoints of the platforms that the caller may access, newest first.",
  input: deliverySearchQuery,
  rules: [],
  output: deliverySearchPage,
  example: {
    input: { status: "failed" },
    output: { deliveries: [exampleFound], nextCursor: null, narrow: false },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  run: async ({ webhookSearch }, call, query) => ({
    data: await webhookSearch.search(namedPlatforms(call, query.platformIds), query),
  }),
});
