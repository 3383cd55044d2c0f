import { requeuedMany, requeueManyInput } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";

/** Requeues the records of several platforms that need attention. */
export const requeueRecords = defineOperation({
  ...forOperators("ops.records.act"),
  reach: "platforms",
  id: "records.requeueMany",
  kind: "write",
  summary: "Requeue many records",
  description:
    "Makes the records that need attention and match the filter due now, oldest first, up to `limit`. With `preview`, it " +
    "counts them only. Each requeued record has its audit entry. Repeat the call while more is true.",
  input: requeueManyInput,
  rules: [],
  output: requeuedMany,
  example: { input: { preview: true }, output: { matching: 12, requeued: 0, more: true } },
  errors: ["PLATFORM_NOT_FOUND"],
  // The repository audits each record in its transaction.
  audit: [],

  async run({ kycAdmin }, call, { platformIds, preview, limit, ...filter }) {
    const by = originOf(call);
    const platforms = namedPlatforms(call, platformIds);
    return { data: await kycAdmin.requeueMany(platforms, filter, preview ? 0 : limit, by) };
  },
});
