import { auditedRequest, type PersonPlatforms } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { showAuditedRequest } from "../../src/audit/request.ts";
import { codeOf, personCall } from "../support/calls.ts";
import { aCaller, makeWorld } from "../support/world.ts";

const { audit, platform, admin, ports } = await makeWorld();
const append = (platformId: string, requestId: string, operation = "kyc.get") =>
  audit.append(platformId, { ...aCaller, requestId, operation, subject: null, outcome: "done" });
/** The entries of a request, as a person who may access these platforms reads them. */
const show = async (platforms: PersonPlatforms, requestId: string, platformIds?: string[]) => {
  const call = personCall(["ops.records.read"], { platforms });
  return (await showAuditedRequest.execute(ports, call, { requestId, platformIds })).data.entries;
};

test("the entries of a request are found on the given platforms, oldest first", async () => {
  const [one, two] = [await platform(), await platform()];
  await append(one, "req_a", "kyc.submit");
  await append(one, "req_b");
  await append(two, "req_a", "kyc.get");
  await append("internal", "req_a", "records.get");
  const found = async (platforms: PersonPlatforms, named?: string[]) => {
    const entries = await show(platforms, "req_a", named);
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
  expect(await found("all", [two])).toEqual([[two, "kyc.get"]]);
  expect(await codeOf(found([one], [two]))).toBe("PLATFORM_NOT_FOUND");
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
  expect(await show([platformId], "req_early")).toHaveLength(1);
  expect(await show([platformId, other], "req_early")).toEqual([]);
  await append(platformId, "req_next");
  await append(platformId, "req_next");
  expect(await show([platformId], "req_early")).toEqual([]);
  expect(await show([platformId], "req_many")).toHaveLength(100);
});
