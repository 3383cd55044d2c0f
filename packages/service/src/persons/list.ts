import { personListQuery, personPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { examplePerson } from "./example.ts";

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

  async run({ persons }, _call, { limit }) {
    const { items, more } = await listUpTo(limit, (max) => persons.list(max));
    return { data: { persons: items, more } };
  },
});
