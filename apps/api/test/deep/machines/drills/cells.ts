import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { prepareTestServer } from "@cardbridge/service/database/testing";
import { sampleSelfie } from "../../../support/samples.ts";
import { runCli } from "../../../support/service-process.ts";
import { startHaproxy } from "../../ops/haproxy.ts";
import { type Drill, drillUnderLoad, type World } from "../drill.ts";
import { makeServerFolder } from "../servers/account.ts";
import { createPostgres, serverAt } from "../servers/postgres.ts";

/** The host of all, and that of the second cell's URLs without a key. */
const [shared, host] = ["cards.example.com", "b.cards.example.com"];
/** The calls that fail while a cell has no database. */
const outage = 12;

/** Starts the shipped HAProxy before the processes of both cells, and sends their loads through it. */
async function startFront(first: World, second: World): Promise<string> {
  const map = join(await makeServerFolder(), "cells.map");
  // The letter of new keys, the prefix of an older one, and the host.
  const older = second.cluster.keys.first.slice(0, "cb_test_".length + 4);
  await writeFile(map, ["cb_test_b b", `${older} b`, `${host} b`, ""].join("\n"));
  const others = second.apis.map(({ url }, index) => [`B_${index + 1}`, new URL(url).host]);
  const limits = { KEY_CALLS: "100000", API_QUEUE: "5s" };
  const { url } = await startHaproxy(first.apis, {
    CELLS_MAP: map,
    ...limits,
    ...Object.fromEntries(others),
  });
  for (const { apis } of [first, second]) for (const api of apis) api.url = url;
  return url;
}

/** A key that the command line of the second cell creates, and a file over an upload URL, which has no key. */
async function useNewKey({ cluster }: World, url: string): Promise<string[]> {
  const names = ["--platform", cluster.platformIds[0], "--name", "cells", "--scopes", "files:write"];
  const env = { ...cluster.environment, CELL: "b" };
  const { stdout, stderr } = await runCli(["keys", "create", ...names], env);
  const key = stdout.trim();
  if (!key.startsWith("cb_test_b")) return [`The key of a cell does not begin with its letter: ${stderr}`];
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const created = await fetch(`${url}/trpc/files.createUploadUrl`, {
    method: "POST",
    headers,
    body: JSON.stringify({ purpose: "selfie" }),
  });
  const { result } = (await created.json()) as { result?: { data: { uploadUrl: string } } };
  const upload = new URL(result?.data.uploadUrl ?? `https://none.example.com/${created.status}`);
  if (upload.host !== host) return [`The upload URL leads to ${upload.href}`];
  const sent = request(url + upload.pathname, {
    method: "PUT",
    headers: { host, "content-type": "image/jpeg" },
    // The certificate is that of the address.
    checkServerIdentity: () => undefined,
  }).end(sampleSelfie);
  const [{ statusCode }] = await once(sent, "response");
  return statusCode === 201 ? [] : [`An upload to the host of a cell got ${statusCode}`];
}

/** Whether keys of both cells get the same document. */
async function compareDocuments(worlds: readonly World[], url: string): Promise<string[]> {
  const documents = worlds.map(async ({ cluster }) => {
    const headers = { authorization: `Bearer ${cluster.keys.first}` };
    return (await fetch(`${url}/openapi/v1/openapi.json`, { headers })).text();
  });
  const [first, ...others] = await Promise.all(documents);
  return others.every((document) => document === first) ? [] : ["The cells have different documents"];
}

/** Two deployments behind one address. The database of one is killed: the other one's calls do not notice. */
export const cells: Drill = {
  title: "two cells behind one address, and the database of one is killed",
  needs: ["postgres", "haproxy"],
  async run(size) {
    const [first, second] = [await createPostgres(), await createPostgres()];
    for (const { port } of [first, second]) await prepareTestServer(serverAt(port));
    const each = (name: string) => ({ each: { env: { PUBLIC_URL: `https://${name}` } } });
    const act = (one: World) =>
      drillUnderLoad(
        serverAt(second.port),
        async (other) => {
          const url = await startFront(one, other);
          const violations = [
            ...(await useNewKey(other, url)),
            ...(await compareDocuments([one, other], url)),
          ];
          await Promise.all([one.load.succeeded(size), other.load.succeeded(size)]);
          await second.kill();
          await other.load.failed(outage);
          await one.load.succeeded(size);
          await second.start();
          await other.load.succeeded(size);
          return { violations };
        },
        each(host),
      );
    const outcome = await drillUnderLoad(serverAt(first.port), act, each(shared));
    const failed = outcome.seen?.failedSeconds ?? 0;
    const noticed = failed > 0 ? [`Calls of the other cell failed for ${failed} s`] : [];
    return { ...outcome, violations: [...outcome.violations, ...noticed] };
  },
};
