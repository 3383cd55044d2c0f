import { holdListQuery, holdPage, type LegalHold } from "@cardbridge/domain";
import { and, desc, eq } from "drizzle-orm";
import { holds } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { exampleUser } from "../users/user.ts";
import { exampleHold, isActive, selectHolds } from "./hold.ts";

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

  async run({ database }, { platformId }, { externalUserId, active, limit }) {
    const ofUser = externalUserId === undefined ? undefined : eq(holds.userId, externalUserId);
    const matches = and(eq(holds.platformId, platformId), ofUser, active ? isActive : undefined);
    const { items, more } = await listUpTo(limit, (max) =>
      database.asPlatform<LegalHold[]>(platformId, async (tx) => {
        const listed = selectHolds(tx)
          .where(matches)
          .orderBy(desc(holds.placedAt), desc(holds.id))
          .limit(max);
        return pipelineCommit([listed], ([rows]) => rows);
      }),
    );
    return { data: { holds: items, more } };
  },
});
