import { processListQuery, processPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";

/** Lists the processes of the service, by their last heartbeats. */
export const listProcesses = defineOperation({
  ...forOperators("ops.platforms"),
  reach: "service",
  id: "processes.list",
  kind: "read",
  summary: "List the service's processes",
  description:
    "Lists the processes of the service on this database, the last heartbeat first. A process that was killed remains " +
    "for a day.",
  input: processListQuery,
  rules: [],
  output: processPage,
  example: {
    input: {},
    output: {
      processes: [
        {
          processId: "prc_01jexample0000000000000000",
          role: "api",
          version: "0.3.0",
          commit: null,
          host: "web-1",
          startedAt: "2026-01-31T12:00:00.000Z",
          seenAt: "2026-01-31T12:30:00.000Z",
          live: true,
        },
      ],
      more: false,
    },
  },
  errors: [],
  audit: [],

  async run({ processes }, _call, { limit }) {
    const { items, more } = await listUpTo(limit, (max) => processes.list(max));
    return { data: { processes: items, more } };
  },
});
