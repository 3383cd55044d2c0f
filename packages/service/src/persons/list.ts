import { personListQuery, personPage } from "@cardbridge/domain";
import { desc } from "drizzle-orm";
import { persons } from "../database/schema.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { examplePerson, personFields } from "./facts.ts";
import { decryptNames } from "./person-key.ts";

/** Lists the persons who called through internal apps. */
export const listPersons = defineOperation({
  ...forOperators("ops.persons"),
  reach: "service",
  id: "persons.list",
  kind: "read",
  summary: "List the persons",
  description: "Lists the persons who called through internal apps, last seen first.",
  input: personListQuery,
  rules: [],
  output: personPage,
  example: { input: {}, output: { persons: [examplePerson], more: false } },
  errors: [],
  audit: ["done"],

  async run({ database, personalDataKeys }, _call, { limit }) {
    const { ring } = await personalDataKeys();
    const { items, more } = await listUpTo(limit, (max) =>
      database.withoutPlatform((tx) =>
        tx.select(personFields).from(persons).orderBy(desc(persons.lastSeenAt), persons.id).limit(max),
      ),
    );
    return { data: { persons: decryptNames(items, ring), more } };
  },
});
