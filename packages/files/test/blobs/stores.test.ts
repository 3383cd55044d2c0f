import { randomBytes } from "node:crypto";
import type { ListedBlobs } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stores } from "../support/stores.ts";

let count = 0;
const newName = () => `blob_${++count}`;

describe.each(stores)("a %s", (kind, start) => {
  let blobs: ListedBlobs;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ blobs, close } = await start());
  });
  afterAll(() => close());

  it.each([0, 1, 10 * 1024 * 1024])("stores a blob of %d bytes", async (size) => {
    const name = newName();
    const blob = randomBytes(size);
    await blobs.put(name, blob);
    const kept = await blobs.get(name);
    expect(kept && Buffer.compare(kept, blob)).toBe(0);
  });

  it("deletes a blob, and does not fail if it does not exist", async () => {
    const name = newName();
    expect(await blobs.get(name)).toBeNull();
    await blobs.put(name, randomBytes(9));
    await blobs.delete(name);
    expect(await blobs.get(name)).toBeNull();
    await blobs.delete(name);
    await blobs.put(name, randomBytes(9));
    expect(await blobs.get(name)).toHaveLength(9);
  });

  it("creates a blob once, however many processes do it at once", async () => {
    const name = newName();
    const created = await Promise.all(
      Array.from({ length: 5 }, (_, nth) => blobs.create(name, Buffer.from(`${nth}`))),
    );
    // The S3 server of the tests knows no conditional writes.
    if (kind === "folder") expect(created.filter(Boolean)).toHaveLength(1);
    expect(await blobs.get(name)).toHaveLength(1);
  });

  it("lists the names of all blobs", async () => {
    const listed = async () => {
      const found: string[] = [];
      for await (const name of blobs.list()) found.push(name);
      return found.sort();
    };
    const before = await listed();
    const names = [newName(), newName()];
    for (const name of names) await blobs.put(name, randomBytes(9));
    expect(await listed()).toEqual([...before, ...names].sort());
    await blobs.delete(names[0] ?? "");
    expect(await listed()).toEqual([...before, names[1]].sort());
  });

  it.each(["", "..", "../x", "a/b", "A", "a.b", ".unfinished", "a%2fb", "a\0", "a".repeat(129)])(
    "rejects the name %j",
    async (name) => {
      await expect(blobs.put(name, randomBytes(1))).rejects.toThrow(TypeError);
      await expect((async () => blobs.get(name))()).rejects.toThrow(TypeError);
      await expect(blobs.delete(name)).rejects.toThrow(TypeError);
    },
  );
});
