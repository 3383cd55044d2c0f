import { keyListQuery, keyPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleKey } from "./example.ts";

/** Lists the keys of one platform, or of all; never a key itself. */
export const listKeys = defineOperation({
  ...forOperators,
  id: "keys.list",
  kind: "query",
  summary: "List the API keys",
  description: "Lists the keys of one platform, or of all: by platform and name, the newest first.",
  input: keyListQuery,
  rules: [],
  output: keyPage,
  example: { input: {}, output: { keys: [exampleKey], more: false } },
  errors: [],
  audit: [],

  async run({ keys }, _call, { platformId, limit }) {
    // One more tells whether there are more.
    const found = await keys.list({ platformId, limit: limit + 1 });
    return { data: { keys: found.slice(0, limit), more: found.length > limit } };
  },
});
