import type { RecordSearchQuery } from "@cardbridge/domain";
import { returning } from "@cardbridge/service/testing";
import { expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { fakeApp, fullKey } from "../support/fakes.ts";
import { withKycChanges } from "./open-stream.ts";

/** What tRPC's infinite queries send beside the input of a list: a cursor, and a direction. */
async function call(procedure: string, input: object | undefined) {
  const positions: (string | undefined)[] = [];
  const operations = withKycChanges((_call, lastEventId) => {
    positions.push(lastEventId);
    return { changes: [], lastEventId: "9-9", more: false };
  });
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const { app } = fakeApp({ operations });
  const response = await app.request(`/trpc/${procedure}${query}`, {
    headers: { authorization: `Bearer ${fullKey}` },
  });
  return { status: response.status, body: JSON.stringify(await response.json()), positions };
}

it.each([
  [undefined, undefined],
  [{ direction: "forward" }, undefined],
  [{ lastEventId: "1-1", direction: "forward" }, "1-1"],
  [{ cursor: "2-2", direction: "forward" }, "2-2"],
  [{ lastEventId: "1-1", cursor: "2-2", direction: "forward" }, "2-2"],
])("a list with a cursor reads after the position of %j", async (input, position) => {
  expect(await call("kyc.listChanges", input)).toMatchObject({ status: 200, positions: [position] });
});

it.each([
  ["kyc.listChanges", { direction: "backward" }, "unknown-parameter"],
  ["kyc.listChanges", { direction: "" }, "unknown-parameter"],
  ["kyc.listChanges", { cursor: "x" }, "change-position"],
  ["kyc.requirements", { direction: "forward" }, "unknown-parameter"],
  ["kyc.requirements", { cursor: "2-2" }, "unknown-parameter"],
  // A subscription has no pages.
  ["kyc.changes", { cursor: "2-2" }, "unknown-parameter"],
  ["kyc.changes", { direction: "forward" }, "unknown-parameter"],
])("%s rejects %j", async (procedure, input, rule) => {
  const { status, body, positions } = await call(procedure, input);
  expect(status).toBe(400);
  expect(body).toContain(`"rule":"${rule}"`);
  expect(positions).toEqual([]);
});

it.each([
  [{ open: true, direction: "forward" }, undefined],
  [{ open: true, cursor: null, direction: "forward" }, undefined],
  [{ open: true, cursor: "next", direction: "forward" }, "next"],
])("records.search as an infinite query with %j reads the page after %s", async (input, cursor) => {
  const appKey = generateApiKey("test", "internal");
  const queries: RecordSearchQuery[] = [];
  const { app } = fakeApp({
    operations: ({ records, ...others }) => {
      const search = returning(records.search, (_call, query) => {
        queries.push(query);
        return { records: [], nextCursor: "next", narrow: false, asOf: "2026-01-31T12:00:00.000Z" };
      });
      return { ...others, records: { ...records, search } };
    },
    keys: { [appKey]: ["ops.records.read"] },
  });
  const path = `/trpc/records.search?input=${encodeURIComponent(JSON.stringify(input))}`;
  const { status } = await app.request(path, { headers: { authorization: `Bearer ${appKey}` } });
  expect([status, queries.map((query) => [query.open, query.cursor])]).toEqual([200, [[true, cursor]]]);
});
