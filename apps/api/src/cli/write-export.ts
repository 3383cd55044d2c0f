import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, lstat, rm, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { errorCode } from "@cardbridge/domain";
import { type ExportedFile, UnreadablePart } from "@cardbridge/service";
import { Encrypter } from "age-encryption";
import { createTarPacker } from "modern-tar";
import { CommandError } from "./errors.ts";

/**
 * An encrypter to one age recipient.
 * @throws CommandError without the text, which may be a secret key.
 */
export function encrypterTo(recipient: string): Encrypter {
  if (/^age-secret-key-/i.test(recipient)) {
    const message =
      "This is a secret key: treat it as leaked. Give its recipient, which age-keygen -y prints.";
    throw new CommandError(`--recipient: ${message}`, 2);
  }
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new CommandError("--recipient: Give an age recipient, such as age1…", 2);
  }
  return encrypter;
}

/**
 * Writes files as one encrypted tar archive. The output appears when it is complete, with access for its owner only;
 * after a failure nothing remains. `open` is called after the output has been checked.
 * @throws CommandError; the errors of `open`.
 */
export async function writeExport<T extends { files: AsyncIterable<ExportedFile> }>(
  output: string,
  encrypter: Encrypter,
  open: () => Promise<T>,
): Promise<T> {
  const partial = `${output}.${randomUUID()}.partial`;
  await onDisk(async () => {
    if (await lstat(output).catch(absent)) throw exists();
    await writeFile(partial, "", { flag: "wx", mode: 0o600 });
  });
  try {
    const opened = await open();
    await onDisk(async () => {
      const encrypted = await encrypter.encrypt(tarOf(opened.files));
      await pipeline(encrypted, createWriteStream(partial, { flags: "r+", flush: true }));
      // Unlike a rename, a link never replaces a file that was created in the meantime.
      await link(partial, output);
    });
    return opened;
  } finally {
    await rm(partial, { force: true });
  }
}

/** Packs files into a tar stream, one file at a time. */
function tarOf(files: AsyncIterable<ExportedFile>): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  pack().catch((error) => controller.error(error));
  return readable;

  async function pack(): Promise<void> {
    for await (const { name, bytes } of files) {
      const writer = controller.add({ name, size: bytes.byteLength, mode: 0o600 }).getWriter();
      await writer.write(bytes);
      await writer.close();
    }
    controller.finalize();
  }
}

const exists = () => new CommandError("--output: The file exists. Give the name of a new file.");

function absent(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT") throw error;
}

/** Runs work on the output, and converts its errors: those of the system contain the path. */
async function onDisk(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof UnreadablePart) throw new CommandError(`${error.message} No file was written.`);
    const code = errorCode(error);
    if (code === "EEXIST") throw exists();
    if (/^E[A-Z]+$/.test(code)) throw new CommandError(`--output: The file cannot be written (${code}).`);
    throw error;
  }
}
