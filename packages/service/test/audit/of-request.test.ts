import { auditedRequest } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { makeSearchable } from "../support/searchable.ts";
import { aCaller } from "../support/world.ts";

const { audit, platform, admin } = await makeSearchable();
const append = (platformId: string, requestId: string, operation = "kyc.get") =>
  audit.append(platformId, { ...aCaller, requestId, operation, subject: null, outcome: "done" });

test("the entries of a request are found on the given platforms, oldest first", async () => {
  const [one, two] = [await platform(), await platform()];
  await append(one, "req_a", "kyc.submit");
  await append(one, "req_b");
  await append(two, "req_a", "kyc.get");
  await append("internal", "req_a", "records.get");
  const found = async (platforms: readonly string[] | "all") => {
    const entries = await audit.ofRequest(platforms, "req_a");
    expect(auditedRequest.parse({ entries })).toEqual({ entries });
    return entries.map(({ platformId, operation }) => [platformId, operation]);
  };
  expect(await found([one, two])).toEqual([
    [one, "kyc.submit"],
    [two, "kyc.get"],
  ]);
  expect(await found([two])).toEqual([[two, "kyc.get"]]);
  expect(await found("all")).toEqual([
    [one, "kyc.submit"],
    [two, "kyc.get"],
    ["internal", "records.get"],
  ]);
  expect(await found([])).toEqual([]);
});

test("a platform's latest 50,000 entries are read, and at most 100 returned", async () => {
  const [platformId, other] = [await platform(), await platform()];
  await append(platformId, "req_early");
  for (const requestId of ["req_many", "req_other"]) {
    await admin(
      `insert into audit_entries (platform_id, actor, operation, outcome, request_id)
       select $1, 'key_1', 'kyc.get', 'done', $2 from generate_series(1, 24999)`,
      [platformId, requestId],
    );
  }
  expect(await audit.ofRequest([platformId], "req_early")).toHaveLength(1);
  expect(await audit.ofRequest([platformId, other], "req_early")).toEqual([]);
  await append(platformId, "req_next");
  await append(platformId, "req_next");
  expect(await audit.ofRequest([platformId], "req_early")).toEqual([]);
  expect(await audit.ofRequest([platformId], "req_many")).toHaveLength(100);
});
