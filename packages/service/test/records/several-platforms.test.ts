import type { OperatorScope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import type { Call, Operation } from "../../src/index.ts";
import { countRecords } from "../../src/records/counts.ts";
import { listRecordChanges } from "../../src/records/list-changes.ts";
import { requeueRecords } from "../../src/records/requeue-many.ts";
import { searchRecords } from "../../src/records/search.ts";
import { findUsers } from "../../src/users/find.ts";
import { redeliverWebhooks } from "../../src/webhooks/redeliver-many.ts";
import { searchWebhookDeliveries } from "../../src/webhooks/search-deliveries.ts";
import { aPerson, callOf, codeOf } from "../support/calls.ts";
import { makeWorld } from "../support/world.ts";

const { audit, database, platform, ports, submitted } = await makeWorld();
const [one, two, three] = [await platform(), await platform(), await platform()];
const scopes: OperatorScope[] = ["ops.records.read", "ops.records.act", "ops.users.read", "ops.webhooks"];
const app = callOf("internal", { scopes });
const ada = { ...app, person: aPerson({ platforms: [one, two] }) };
const all = { ...app, person: aPerson() };

/** Ports that note the platforms whose data a call reads. */
function notingPorts() {
  const reached: unknown[] = [];
  const noting = <A extends [unknown, ...unknown[]], R>(work: (...args: A) => R) =>
    function note(...args: A): R {
      reached.push(args[0]);
      return work(...args);
    };
  return {
    reached,
    ports: {
      ...ports,
      database: { ...database, asOperators: noting(database.asOperators) },
    },
  };
}

describe("an operation over several platforms", () => {
  it.each<{ operation: Operation; input: object }>([
    { operation: searchRecords, input: {} },
    { operation: countRecords, input: {} },
    { operation: listRecordChanges, input: {} },
    { operation: requeueRecords, input: { preview: true } },
    { operation: searchWebhookDeliveries, input: {} },
    { operation: redeliverWebhooks, input: { preview: true } },
    { operation: findUsers, input: { email: "ada@example.com" } },
  ])("is about those that the person may access, or about the named ones: $operation.id", async (example) => {
    const { operation, input } = example;
    const { ports, reached } = notingPorts();
    const run = (call: Call, platformIds?: string[]) =>
      codeOf(operation.execute(ports, call, { ...input, platformIds }));
    for (const [call, platformIds, expected] of [
      [ada, undefined, [one, two]],
      [ada, [two], [two]],
      [all, undefined, "all"],
      [app, [three, three], [three]],
    ] as const) {
      reached.length = 0;
      expect(await run(call, platformIds && [...platformIds])).toBe("done");
      expect(reached).toContainEqual(expected);
      expect(new Set(reached.map(String)).size).toBe(1);
    }
    reached.length = 0;
    expect(await run(ada, [one, three])).toBe("PLATFORM_NOT_FOUND");
    expect(await run(app, [one, "plt_unknown"])).toBe("PLATFORM_NOT_FOUND");
    expect(reached).toEqual([]);
  });
});

it("a search of users is audited, with the user if it found only one", async () => {
  const find = (email: string) => findUsers.execute(ports, ada, { email });
  const ofFirst = await submitted({ email: "first@example.com" }, one);
  await submitted({ email: "both@example.com", memberId: "both" }, one);
  await submitted({ email: "both@example.com" }, two);
  for (const [email, subject] of [
    ["first@example.com", ofFirst.externalUserId],
    ["both@example.com", null],
    ["none@example.com", null],
  ] as const) {
    await find(email);
    const { entries } = await audit.list("all", { limit: 1 });
    expect(entries).toMatchObject([{ operation: "users.find", subject, outcome: "done" }]);
    expect(JSON.stringify(entries)).not.toContain(email);
  }
});
