import { keyListQuery, keyPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey } from "./example.ts";

/** Lists the keys of one platform or of all, without their secrets. */
export const listKeys = defineOperation({
  ...forOperators,
  id: "keys.list",
  kind: "query",
  summary: "List the API keys",
  description: "Lists the keys of one platform or of all, by platform and name, newest first.",
  input: keyListQuery,
  rules: [],
  output: keyPage,
  example: { input: {}, output: { keys: [exampleKey], more: false } },
  errors: [],
  audit: [],

  async run({ keys }, _call, { platformId, limit }) {
    // One extra entry shows whether there are more.
    const page = await keys.list({ platformId, limit: limit + 1 });
    return { data: { keys: page.slice(0, limit), more: page.length > limit } };
  },
});
