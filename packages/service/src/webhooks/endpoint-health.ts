import { endpointHealth, endpointHealthQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleEndpoint } from "./example.ts";

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

  run: async ({ webhookSearch }, call, { platformIds }) => ({
    data: await webhookSearch.health(namedPlatforms(call, platformIds)),
  }),
});
