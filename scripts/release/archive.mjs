import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { packTar } from "modern-tar/fs";

/** The time of every file: that of the build would make each archive another one. */
const mtime = new Date("2000-01-01T00:00:00Z");

/**
 * Writes a tar.gz with one folder, which has the checksums of its files in SHA256SUMS. Its bytes follow from the names, the
 * contents and the executable bits of the files alone.
 *
 * @param path of the archive
 * @param name of the folder
 * @param files by their path in the folder: a path to copy, or an object with a `text`
 */
export async function writeArchive(path, name, files) {
  const entries = [];
  for (const target of Object.keys(files).sort()) {
    const source = files[target];
    const content = Buffer.from(source.text ?? (await readFile(source)));
    const isProgram = source.text === undefined && ((await stat(source)).mode & 0o100) !== 0;
    entries.push({ type: "content", target, content, mode: isProgram ? 0o755 : 0o644 });
  }
  const sums = entries.map(({ target, content }) => `${sha256(content)}  ${target}\n`).join("");
  entries.push({ type: "content", target: "SHA256SUMS", content: Buffer.from(sums), mode: 0o644 });
  const sources = entries.map((entry) => ({ ...entry, target: `${name}/${entry.target}`, mtime }));
  await pipeline(packTar(sources), createGzip({ level: 9 }), createWriteStream(path));
}

/** The SHA-256 of bytes, as `sha256sum` prints it. */
export function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
