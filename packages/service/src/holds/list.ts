import { holdListQuery, holdPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { exampleUser } from "../users/example.ts";
import { requirePlatform } from "../users/find.ts";
import { exampleHold } from "./example.ts";

/** Lists a platform's legal holds, lifted ones too. */
export const listHolds = defineOperation({
  ...forOperators("ops.compliance"),
  id: "holds.list",
  kind: "read",
  summary: "List legal holds",
  description: "Lists the legal holds of a platform or of one of its users, newest first, lifted ones too.",
  input: holdListQuery,
  rules: [],
  output: holdPage,
  example: {
    input: { platformId: exampleUser.platformId },
    output: { holds: [exampleHold], more: false },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ platforms, holds }, _call, { platformId, limit, ...filter }) {
    await requirePlatform(platforms, platformId);
    const { items, more } = await listUpTo(limit, (max) => holds.list(platformId, { ...filter, limit: max }));
    return { data: { holds: items, more } };
  },
});
