import { createWriteStream } from "node:fs";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import { packTar } from "modern-tar/fs";

const project = new URL("../../../../", import.meta.url);

/** The sample files of the pages, by their names below /docs/samples. */
const samples = {
  "front.jpg": "document-front.jpg",
  "selfie.jpg": "selfie.jpg",
  "proof.pdf": "address-proof.pdf",
  "submission.json": "submission.json",
};

/** Adds the files that the pages download: the sample files, and the packed clients. */
export async function writeDownloads(
  site: URL,
  clients = ["client", "trpc-client"].map((name) => new URL(`packages/${name}/`, project)),
): Promise<void> {
  for (const [name, source] of Object.entries(samples))
    await cp(new URL(`apps/api/samples/${source}`, project), new URL(`samples/${name}`, site));
  await mkdir(new URL("client/", site), { recursive: true });
  for (const client of clients) await packClient(fileURLToPath(client), new URL("client/", site));
}

/**
 * Packs a built client, so that npm can install it without a registry. A release contains it, so that its bytes follow from
 * the client alone: neither the machine's npm nor the time of the build changes them.
 */
async function packClient(client: string, folder: URL): Promise<void> {
  const manifest = JSON.parse(await readFile(join(client, "package.json"), "utf8"));
  const { devDependencies: _, scripts: __, ...published } = manifest;
  const paths = ["README.md", ...(await Promise.all(manifest.files.map(filesIn))).flat()];
  const sources = [{ name: "package.json", content: JSON.stringify(published, undefined, 2) }];
  for (const name of paths.sort())
    sources.push({ name, content: await readFile(join(client, name), "utf8") });
  const entries = sources.map(({ name, content }) => ({
    ...{ type: "content" as const, target: `package/${name}`, content },
    ...{ mode: 0o644, mtime: new Date("2000-01-01T00:00:00Z") },
  }));
  const packed = new URL(`${manifest.name.replace("@", "").replace("/", "-")}.tgz`, folder);
  await pipeline(packTar(entries), createGzip({ level: 9 }), createWriteStream(packed));

  async function filesIn(name: string): Promise<string[]> {
    const names = await readdir(join(client, name)).catch(() => {
      throw new Error(`Build ${manifest.name} first: npx pnpm@10.34.8 turbo build --filter=${manifest.name}`);
    });
    return names.map((each) => join(name, each));
  }
}
