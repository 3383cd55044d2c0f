import { internalPlatformId } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { createPlatform } from "../../src/platforms/create.ts";
import { listPlatforms } from "../../src/platforms/list.ts";
import { renamePlatform } from "../../src/platforms/rename.ts";
import { codeOf, operatorCall } from "../support/calls.ts";
import { makeWorld } from "../support/world.ts";

const { audit, ports } = await makeWorld();
const create = async (name: string, ids = ports.ids) =>
  (await createPlatform.execute({ ...ports, ids }, operatorCall, { name })).data;
const rename = async (platformId: string, name: string) =>
  (await renamePlatform.execute(ports, operatorCall, { platformId, name })).data;
const list = async (limit: number) => (await listPlatforms.execute(ports, operatorCall, { limit })).data;

test("a platform is created, listed and renamed, which is audited at the internal apps' platform", async () => {
  const created = await create("First");
  expect(created).toMatchObject({ name: "First", createdAt: expect.stringMatching(/^20.*Z$/) });
  const { platformId } = created;
  const second = await create("Second");
  const renamed = { ...created, name: "The first" };
  expect(await rename(platformId, "The first")).toEqual(renamed);
  const usage = { storedFiles: 0, storedBytes: 0 };
  expect(await list(10)).toEqual({
    platforms: [
      { ...renamed, ...usage },
      { ...second, ...usage },
    ],
    more: false,
  });
  expect(await list(1)).toMatchObject({ platforms: [renamed], more: true });
  expect(await codeOf(rename("plt_none", "x"))).toBe("PLATFORM_NOT_FOUND");
  const { entries } = await audit.list([internalPlatformId], { limit: 10 });
  expect(entries.map(({ operation, subject, outcome }) => [operation, subject, outcome])).toEqual([
    ["platforms.rename", null, "PLATFORM_NOT_FOUND"],
    ["platforms.rename", platformId, "done"],
    ["platforms.create", second.platformId, "done"],
    ["platforms.create", platformId, "done"],
  ]);
});

test("a platform is created once", async () => {
  const ids = { ...ports.ids, platformId: () => "plt_once" };
  await create("Mine", ids);
  await expect(create("Theirs", ids)).rejects.toMatchObject({ code: "23505" });
});

test("the internal apps' platform is hidden", async () => {
  expect(await codeOf(rename(internalPlatformId, "x"))).toBe("PLATFORM_NOT_FOUND");
  const { platforms } = await list(500);
  expect(platforms.map(({ platformId }) => platformId)).not.toContain(internalPlatformId);
});
