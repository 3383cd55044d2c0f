import { proposalListQuery, proposalPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleProposal } from "./example.ts";
import { deciderScopes, readerOf } from "./reader.ts";

/** Lists the proposals of all platforms that the caller may access. */
export const listProposals = defineOperation({
  ...forOperators(...deciderScopes),
  reach: "platforms",
  id: "proposals.list",
  kind: "read",
  summary: "List proposals",
  description: "Lists the proposals of acts that need two persons, newest first, without personal data.",
  input: proposalListQuery,
  rules: [],
  output: proposalPage,
  example: {
    input: { waitingForMe: true },
    output: { proposals: [exampleProposal], waitingForMe: 1, nextCursor: null },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  run: async ({ proposals }, call, query) => ({
    data: await proposals.list(namedPlatforms(call, query.platformIds), query, readerOf(call)),
  }),
});
