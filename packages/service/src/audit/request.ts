import { auditedRequest, auditedRequestQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";

/** Shows the audited outcomes of a request. */
export const showAuditedRequest = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "audit.request",
  kind: "read",
  summary: "Show the outcomes of a request",
  description:
    "Shows the audited outcomes of a request, by the requestId that its caller reports, on the platforms that the " +
    "caller may access. It reads the latest entries of each platform: 50,000 divided by the number of platforms. Name " +
    "the platform to look further back.",
  input: auditedRequestQuery,
  rules: [],
  output: auditedRequest,
  example: { input: { requestId: "req_01jexample0000000000000000" }, output: { entries: [] } },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  run: async ({ audit }, call, { requestId, platformIds }) => ({
    data: { entries: await audit.ofRequest(namedPlatforms(call, platformIds), requestId) },
  }),
});
