import { expect, it } from "vitest";
import { redeliverWebhooks } from "../../src/webhooks/redeliver-many.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

function world() {
  const { ports, audited } = fakePorts();
  const sent: unknown[][] = [];
  ports.webhookSearch.redeliver = async (...args) => {
    sent.push(args);
    return { matching: 3, redelivered: 0, more: true };
  };
  const call = callOf("internal", { scopes: ["ops.webhooks"] });
  return { ports, audited, sent, run: (input: object) => redeliverWebhooks.execute(ports, call, input) };
}

const by = { actor: "actor", requestId: "req_1", address: null, operation: "webhooks.redeliverMany" };

it("only counts in a preview, and else passes the limit and who calls", async () => {
  const { run, sent, audited } = world();
  expect((await run({ preview: true, limit: 5 })).data).toEqual({ matching: 3, redelivered: 0, more: true });
  await run({ preview: false, endpointId: "whe_1", type: "kyc.updated" });
  expect(sent).toEqual([
    ["all", {}, 0, by],
    ["all", { endpointId: "whe_1", type: "kyc.updated" }, 100, by],
  ]);
  // The repository audits in its transactions.
  expect(audited).toEqual([]);
});

it.each([[{}], [{ preview: false, limit: 201 }], [{ preview: false, limit: 0 }]])(
  "refuses %j",
  async (input) => {
    await expect(world().run(input)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  },
);
