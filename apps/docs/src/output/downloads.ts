import { execFile } from "node:child_process";
import { access, cp, mkdir, readdir, rename } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const project = new URL("../../../../", import.meta.url);

/** The sample files of the pages, by their names below /docs/samples. */
const samples = {
  "front.jpg": "document-front.jpg",
  "selfie.jpg": "selfie.jpg",
  "proof.pdf": "address-proof.pdf",
};

/** Adds the files that the pages download: the sample files, and the packed client for platforms. */
export async function writeDownloads(
  site: URL,
  client = new URL("packages/client/", project),
): Promise<void> {
  for (const [name, source] of Object.entries(samples))
    await cp(new URL(`apps/api/samples/${source}`, project), new URL(`samples/${name}`, site));
  await packClient(client, new URL("client/", site));
}

/** Packs the built client, so that npm can install it without a registry. */
async function packClient(client: URL, folder: URL): Promise<void> {
  await access(new URL("dist/index.js", client)).catch(() => {
    throw new Error(
      "Build @cardbridge/client first: npx pnpm@10.34.8 turbo build --filter=@cardbridge/client",
    );
  });
  await mkdir(folder, { recursive: true });
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", fileURLToPath(folder)];
  await promisify(execFile)("npm", args, { cwd: fileURLToPath(client) });
  const [packed = ""] = await readdir(folder);
  await rename(new URL(packed, folder), new URL("cardbridge-client.tgz", folder));
}
