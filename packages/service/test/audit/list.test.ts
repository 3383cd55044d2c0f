import type { PersonPlatforms } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { listAudit } from "../../src/audit/list.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** The platforms that a search of this person reads. */
async function searched(platforms: PersonPlatforms, input: object = {}) {
  const { ports, audited } = fakePorts();
  const found: PersonPlatforms[] = [];
  ports.platforms.find = (platformId) =>
    ({ platformId, name: "x", createdAt: "2026-01-31T12:00:00.000Z" }) as never;
  ports.audit.list = async (reach) => {
    found.push(reach);
    return { entries: [], nextCursor: null, narrow: false, reachesTo: null, since: null };
  };
  const person = {
    personId: "per_1",
    roles: ["compliance" as const],
    platforms,
    authenticatedAt: null,
    expiresAt: new Date(Date.now() + 60_000),
  };
  const result = await listAudit
    .execute(ports, { ...callOf("internal", { scopes: ["ops.audit"] }), person }, input)
    .catch((error) => error.code);
  expect(audited).toEqual([]);
  return found[0] ?? result;
}

it("reads the platforms that the person may access, and `internal` only with all of them", async () => {
  expect(await searched("all")).toBe("all");
  expect(await searched("all", { platformIds: ["plt_1", "internal"] })).toEqual(["plt_1", "internal"]);
  expect(await searched("all", { platformId: "internal" })).toEqual(["internal"]);
  expect(await searched(["plt_1"], { platformId: "internal" })).toBe("PLATFORM_NOT_FOUND");
  expect(await searched(["plt_1", "internal"])).toEqual(["plt_1"]);
  expect(await searched(["plt_1", "internal"], { platformIds: ["internal"] })).toEqual([]);
  expect(await searched(["plt_1"], { platformIds: ["plt_2"] })).toBe("PLATFORM_NOT_FOUND");
});
