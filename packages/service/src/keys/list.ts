import { keyListQuery, keyPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { exampleKey } from "./example.ts";

/** Lists the keys of one platform or of all platforms, without their secrets. */
export const listKeys = defineOperation({
  ...forOperators("ops.keys"),
  id: "keys.list",
  kind: "read",
  summary: "List the API keys",
  description:
    "Lists the keys of one platform or of all platforms, by platform and name, newest first. Filter by the state, the " +
    "person who made them, the expiry and the last use.",
  input: keyListQuery,
  rules: [],
  output: keyPage,
  example: { input: {}, output: { keys: [exampleKey], more: false } },
  errors: [],
  audit: [],

  async run({ keys }, _call, { limit, ...filter }) {
    const { items, more } = await listUpTo(limit, (max) => keys.list({ ...filter, limit: max }));
    return { data: { keys: items, more } };
  },
});
