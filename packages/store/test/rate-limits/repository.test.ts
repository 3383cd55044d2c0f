import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { rateLimitsRepository } from "../../src/index.ts";
import { makeWorld } from "../support/world.ts";

/** A day, so that no token is gained during a test. */
const slow = { calls: 10, seconds: 86_400 };
const world = await makeWorld({ maxConnections: 4 });
const limits = rateLimitsRepository(world.database, "process-1");
const asAdmin = (text: string, values: unknown[] = []) =>
  withConnection(world.urls.adminUrl, (client) => client.query(text, values));
/** Lets the server's clock seem to have moved on for a platform. */
const pass = (platformId: string, seconds: number) =>
  asAdmin(
    "update rate_limits set refilled_at = refilled_at - make_interval(secs => $2) where platform_id = $1",
    [platformId, seconds],
  );

describe("a platform's bucket", () => {
  test("is full at first, and gives what it has", async () => {
    const platformId = await world.platform();
    expect(await limits.lease(platformId, "query", slow, 4)).toMatchObject({ granted: 4 });
    const rest = await limits.lease(platformId, "query", slow, 40);
    expect(rest.granted).toBe(6);
    expect(rest.remaining).toBeLessThan(1);
    expect(await limits.lease(platformId, "query", slow, 1)).toMatchObject({ granted: 0 });
  });

  test("gains tokens by the server's clock, up to its size", async () => {
    const platformId = await world.platform();
    await limits.lease(platformId, "query", slow, 10);
    await pass(platformId, 3.5 * 8_640);
    const gained = await limits.lease(platformId, "query", slow, 10);
    expect(gained.granted).toBe(3);
    expect(gained.remaining).toBeCloseTo(0.5, 2);
    await pass(platformId, 1_000_000);
    expect(await limits.lease(platformId, "query", slow, 40)).toMatchObject({ granted: 10, remaining: 0 });
  });

  test("gains nothing if the server's clock goes back", async () => {
    const platformId = await world.platform();
    await limits.lease(platformId, "query", slow, 9);
    await pass(platformId, -100_000);
    expect(await limits.lease(platformId, "query", slow, 9)).toMatchObject({ granted: 1 });
  });

  test("is separate for each kind and each platform", async () => {
    const [one, two] = [await world.platform(), await world.platform()];
    await limits.lease(one, "query", slow, 10);
    expect(await limits.lease(one, "mutation", slow, 10)).toMatchObject({ granted: 10 });
    expect(await limits.lease(two, "query", slow, 10)).toMatchObject({ granted: 10 });
  });

  test("gives each token once to concurrent processes", async () => {
    const platformId = await world.platform();
    const processes = ["a", "b", "c"].map((id) => rateLimitsRepository(world.database, id));
    const leases = await Promise.all(
      processes.flatMap((each) =>
        Array.from({ length: 4 }, () => each.lease(platformId, "query", { ...slow, calls: 25 }, 3)),
      ),
    );
    expect(leases.reduce((sum, { granted }) => sum + granted, 0)).toBe(25);
  });
});

test("the processes of the last minute are counted, and those of the last hour are kept", async () => {
  const own = await makeWorld();
  const platformId = await own.platform();
  const lease = (id: string) => rateLimitsRepository(own.database, id).lease(platformId, "query", slow, 1);
  const age = (id: string, interval: string) =>
    withConnection(own.urls.adminUrl, (client) =>
      client.query("update limiting_processes set seen_at = now() - $2::interval where id = $1", [
        id,
        interval,
      ]),
    );
  expect(await lease("a")).toMatchObject({ processes: 1 });
  expect(await lease("b")).toMatchObject({ processes: 2 });
  await age("a", "2 minutes");
  expect(await lease("b")).toMatchObject({ processes: 1 });
  expect(await lease("a")).toMatchObject({ processes: 2 });
  await age("a", "2 hours");
  await age("b", "11 seconds");
  expect(await lease("b")).toMatchObject({ processes: 1 });
  const { rows } = await withConnection(own.urls.adminUrl, (client) =>
    client.query("select id from limiting_processes"),
  );
  expect(rows).toEqual([{ id: "b" }]);
});

test("a process without a platform gets no token", async () => {
  await expect(
    withConnection(world.urls.serviceUrl, (client) =>
      client.query("select * from lease_rate_tokens('p', 'query', 10, 60, 1)"),
    ),
  ).rejects.toThrow();
});
