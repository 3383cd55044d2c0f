import { describe, expect, it } from "vitest";
import { countRecords } from "../../src/records/counts.ts";
import { listRecordChanges } from "../../src/records/list-changes.ts";
import { requeueRecords } from "../../src/records/requeue-many.ts";
import { searchRecords } from "../../src/records/search.ts";
import { redeliverWebhooks } from "../../src/webhooks/redeliver-many.ts";
import { searchWebhookDeliveries } from "../../src/webhooks/search-deliveries.ts";
import { aPerson, callOf, codeOf, operatorCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const scopes = ["ops.records.read", "ops.records.act", "ops.users.read", "ops.webhooks"] as const;
const app = callOf("internal", { scopes });
const ada = { ...app, person: aPerson({ platforms: ["plt_1", "plt_2"] }) };
const all = { ...app, person: aPerson() };

/** Ports that note what each call over platforms is given. */
function notingPorts() {
  const { ports, audited } = fakePorts();
  const calls: unknown[][] = [];
  const noting = <A extends unknown[], R>(work: (...args: A) => R) =>
    function note(...args: A): R {
      calls.push(args);
      return work(...args);
    };
  const { recordSearch, kycAdmin, webhookSearch } = ports;
  Object.assign(recordSearch, {
    search: noting(recordSearch.search),
    counts: noting(recordSearch.counts),
    changes: noting(recordSearch.changes),
  });
  kycAdmin.requeueMany = noting(kycAdmin.requeueMany);
  Object.assign(webhookSearch, {
    search: noting(webhookSearch.search),
    redeliver: noting(webhookSearch.redeliver),
  });
  ports.platforms.find = (id) => (id === "plt_unknown" ? null : { platformId: id });
  return { ports, calls, audited };
}

describe("an operation over several platforms", () => {
  it.each([
    { operation: searchRecords, input: {} },
    { operation: countRecords, input: {} },
    { operation: listRecordChanges, input: {} },
    { operation: requeueRecords, input: { preview: true } },
    { operation: searchWebhookDeliveries, input: {} },
    { operation: redeliverWebhooks, input: { preview: true } },
  ])("is about those that the person may access, or about the named ones: $operation.id", async (example) => {
    const { operation, input } = example;
    const { ports, calls } = notingPorts();
    const run = (call: typeof app, platformIds?: string[]) =>
      codeOf(operation.execute(ports, call, { ...input, platformIds }));
    for (const [call, platformIds] of [
      [ada, undefined],
      [ada, ["plt_2"]],
      [all, undefined],
      [app, ["plt_9", "plt_9"]],
    ] as const)
      expect(await run(call, platformIds && [...platformIds])).toBe("done");
    expect(calls.map(([platforms]) => platforms)).toEqual([["plt_1", "plt_2"], ["plt_2"], "all", ["plt_9"]]);
    expect(await run(ada, ["plt_1", "plt_9"])).toBe("PLATFORM_NOT_FOUND");
    expect(await run(app, ["plt_1", "plt_unknown"])).toBe("PLATFORM_NOT_FOUND");
    expect(calls).toHaveLength(4);
  });
});

it("counts the records of the calling person", async () => {
  const { ports, calls } = notingPorts();
  await countRecords.execute(ports, ada, {});
  await countRecords.execute(ports, app, {});
  expect(calls.map(([, personId]) => personId)).toEqual(["per_ada", null]);
});

describe.each([requeueRecords, redeliverWebhooks])("$id", (operation) => {
  it("only counts in a preview, and else passes the limit; the repository audits it", async () => {
    const { ports, calls, audited } = notingPorts();
    const createdAfter = "2027-01-31T12:00:00.000Z";
    await operation.execute(ports, operatorCall, { preview: true, limit: 5, createdAfter });
    await operation.execute(ports, operatorCall, { preview: false });
    expect(calls).toMatchObject([
      ["all", { createdAfter }, 0, { operation: operation.id }],
      ["all", {}, 100, { operation: operation.id }],
    ]);
    expect(audited).toEqual([]);
  });

  it.each([{}, { preview: false, limit: 0 }, { preview: false, limit: 201 }])("refuses %j", async (input) => {
    const { ports, calls } = notingPorts();
    expect(await codeOf(operation.execute(ports, operatorCall, input))).toBe("INVALID_INPUT");
    expect(calls).toEqual([]);
  });
});
