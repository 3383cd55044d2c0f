import { pauseListQuery, pausePage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { platformsOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePause } from "./example.ts";

/** Lists the pauses of the provider and of the platforms that the caller may access. */
export const listPauses = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "pauses.list",
  kind: "read",
  summary: "List pauses",
  description:
    "Lists the pauses of the provider and of the platforms that the caller may access, newest first.",
  input: pauseListQuery,
  rules: [],
  output: pausePage,
  example: { input: { active: true }, output: { pauses: [examplePause] } },
  errors: [],
  audit: [],
  run: async ({ pauses }, call, filter) => ({
    data: { pauses: await pauses.list(platformsOf(call), filter) },
  }),
});
