import { randomUUID } from "node:crypto";
import { internalPlatformId } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { platformsRepository } from "../../src/database.ts";
import { makeWorld } from "../support/world.ts";

const { database } = await makeWorld();
const platforms = platformsRepository(database);
const anId = () => `plt_${randomUUID()}`;

test("a platform is created, found, listed and renamed", async () => {
  const [first, second] = [anId(), anId()];
  expect(await platforms.find(first)).toBeNull();
  const created = await platforms.create({ platformId: first, name: "First" });
  expect(created).toEqual({ platformId: first, name: "First", createdAt: expect.stringMatching(/^20.*Z$/) });
  await platforms.create({ platformId: second, name: "Second" });
  expect(await platforms.find(first)).toEqual({ platformId: first });

  const renamed = { ...created, name: "The first" };
  expect(await platforms.rename({ platformId: first, name: "The first" })).toEqual(renamed);
  expect(await platforms.list(10)).toEqual([
    { ...renamed, storedFiles: 0, storedBytes: 0 },
    expect.objectContaining({ platformId: second, name: "Second" }),
  ]);
  expect(await platforms.list(1)).toMatchObject([renamed]);
  expect(await platforms.rename({ platformId: "plt_none", name: "x" })).toBeNull();
});

test("a platform is created once", async () => {
  const platformId = anId();
  await platforms.create({ platformId, name: "Mine" });
  await expect(platforms.create({ platformId, name: "Theirs" })).rejects.toMatchObject({ code: "23505" });
});

test("the internal apps' platform is hidden", async () => {
  expect(await platforms.find(internalPlatformId)).toBeNull();
  expect(await platforms.rename({ platformId: internalPlatformId, name: "x" })).toBeNull();
  expect((await platforms.list(1000)).map(({ platformId }) => platformId)).not.toContain(internalPlatformId);
});
