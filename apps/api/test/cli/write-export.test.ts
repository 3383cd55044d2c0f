import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { expect, it, onTestFinished } from "vitest";
import { encrypterTo, writeExport } from "../../src/cli/write-export.ts";

const encrypter = encrypterTo(await identityToRecipient(await generateIdentity()));

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-write-export-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function* oneFile() {
  yield { name: "a.txt", bytes: Buffer.from("a") };
}

it("does not replace a file that appears while the export is written", async () => {
  const folder = await newFolder();
  const output = join(folder, "a.age");
  const written = writeExport(output, encrypter, async () => {
    await writeFile(output, "kept");
    return { files: oneFile() };
  });
  await expect(written).rejects.toThrow("--output: The file exists.");
  expect(await readFile(output, "utf8")).toBe("kept");
  expect(await readdir(folder)).toEqual(["a.age"]);
});

it("leaves nothing after a failure in the middle of a file larger than the buffers", async () => {
  const folder = await newFolder();
  async function* files() {
    yield { name: "large.bin", bytes: Buffer.alloc(20_000_000) };
    throw new Error("lost");
  }
  const written = writeExport(join(folder, "a.age"), encrypter, async () => ({ files: files() }));
  await expect(written).rejects.toThrow("lost");
  expect(await readdir(folder)).toEqual([]);
});
