import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { request } from "undici";
import { moveChildren } from "../lib/cores.mjs";
import { startIssuer } from "../lib/issuer.mjs";
import { connect, openLoad, quantile } from "../lib/load.mjs";
import { cpuOf, cpuOfChildren } from "../lib/process.mjs";
import { lists, submission } from "../lib/requests.mjs";
import { medians } from "../lib/rounds.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

/** 3,000 lists in 30 s: 30 of them are slower than the p99. */
const listsPerSecond = 100;
/** 12 megapixels, as a telephone takes them. */
const [width, height] = [4_000, 3_000];
const viewers = 2;
const rounds = 3;

/** 100 lists a second, alone and beside two persons who look at one picture after another, in alternation. */
export async function run({ full, say }) {
  const seconds = full ? 60 : 30;
  await using issuer = await startIssuer();
  await using world = await createWorld();
  const service = await world.service({ ...issuer.env, FOUR_EYES: "off" });
  using _moved = moveChildren(service);
  const evidence = await makeEvidence(world, service.url);
  const looks = await Promise.all(
    Array.from({ length: viewers }, async (_, index) =>
      openEvidence(service.url, evidence, await issuer.token(`viewer-${index}`, ["compliance"])),
    ),
  );
  const measure = async (beside) => {
    const before = [cpuOf(service), cpuOfChildren(service)];
    let over = false;
    const looking = beside.map(async (look) => {
      const times = [];
      while (!over) times.push(await look());
      return times;
    });
    const { answers, rest } = await openLoad(await connect(service.url, 50), lists(world), {
      perSecond: listsPerSecond,
      seconds,
    });
    await rest;
    over = true;
    const pictures = (await Promise.all(looking)).flat().sort((a, b) => a - b);
    const millis = answers.map((answer) => answer.millis).sort((a, b) => a - b);
    return {
      p50: quantile(millis, 0.5),
      p99: quantile(millis, 0.99),
      failed: answers.filter(({ status }) => status !== 200).length,
      cpu: cpuOf(service) - before[0],
      children: cpuOfChildren(service) - before[1],
      pictures: pictures.length,
      slow: quantile(pictures, 0.95) ?? 0,
    };
  };
  await measure(looks);
  const [alone, beside] = [[], []];
  for (let number = 1; number <= rounds; number += 1) {
    alone.push(await measure([]));
    beside.push(await measure(looks));
    say(`round ${number} of ${rounds}`);
  }
  return textOf(medians(alone), medians(beside), seconds);
}

/** A photo of the sample document, with the noise of a telephone's sensor: 4 MB as a file, 0.2 MB as a rendered picture. */
async function takePhoto() {
  const sample = new URL("../../apps/api/samples/document-front.jpg", import.meta.url);
  const pixels = await sharp(fileURLToPath(sample))
    .resize(width, height, { fit: "fill" })
    .removeAlpha()
    .raw()
    .toBuffer();
  const gaussian = { type: "gaussian", mean: 128, sigma: 12 };
  const noise = await sharp({ create: { width, height, channels: 3, background: "black", noise: gaussian } })
    .raw()
    .toBuffer();
  const noisy = new Uint8ClampedArray(pixels.length);
  for (let at = 0; at < noisy.length; at += 1) noisy[at] = pixels[at] + noise[at] - 128;
  return sharp(noisy, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** A record whose front image has 12 megapixels, and an internal app's key that may show it. */
async function makeEvidence({ cli, platformId }, url) {
  const named = ["--name", "evidence", "--platform"];
  const platformKey = await cli([
    "keys",
    "create",
    ...named,
    platformId,
    "--scopes",
    "files:write,kyc:write",
  ]);
  const scopes = "ops.evidence,ops.records.read,ops.persons";
  const appKey = await cli(["keys", "create", ...named, "internal", "--scopes", scopes]);
  const photo = await takePhoto();
  const upload = async (purpose) => {
    const form = new FormData();
    form.set("purpose", purpose);
    form.set("file", new Blob([photo]), "photo.jpg");
    const headers = { authorization: `Bearer ${platformKey}` };
    const response = await fetch(`${url}/openapi/v1/files`, { method: "POST", headers, body: form });
    return answerOf(response);
  };
  const [front, selfie] = [await upload("document_front"), await upload("selfie")];
  const response = await fetch(`${url}/openapi/v1/users/kyc`, {
    method: "POST",
    headers: { authorization: `Bearer ${platformKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...submission,
      memberId: "evidence",
      email: "evidence@example.com",
      frontImageUrl: front.url,
      selfieImageUrl: selfie.url,
    }),
  });
  const { kycRecordId } = await answerOf(response);
  return { appKey, kycRecordId, fileId: front.fileId };
}

/** Opens the evidence for a person. The returned function shows the picture, and returns its milliseconds. */
async function openEvidence(url, { appKey, kycRecordId, fileId }, token) {
  const headers = {
    authorization: `Bearer ${appKey}`,
    "x-cardbridge-person": token,
    "content-type": "application/json",
  };
  const body = JSON.stringify({ kycRecordId, purpose: "review" });
  const opened = await answerOf(
    await fetch(`${url}/trpc/records.submission`, { method: "POST", headers, body }),
  );
  const { openingId } = opened.result.data;
  const input = encodeURIComponent(JSON.stringify({ kycRecordId, openingId, fileId }));
  return async () => {
    const start = performance.now();
    const { statusCode, body: picture } = await request(`${url}/trpc/records.submissionFile?input=${input}`, {
      headers,
    });
    const text = await picture.text();
    if (statusCode !== 200) throw new Error(`The picture was answered ${statusCode}: ${text.slice(0, 300)}`);
    return performance.now() - start;
  };
}

async function answerOf(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

function textOf(alone, beside, seconds) {
  const row = (name, { p50, p99, failed }) => [name, figure(p50, 1), figure(p99, 1), figure(failed)];
  const head = [`${listsPerSecond} lists a second for ${seconds} s`, "p50 ms", "p99 ms", "not 200"];
  const rows = [row("alone", alone), row(`beside ${viewers} viewers of 12 MP pictures`, beside)];
  const { pictures, slow, children } = beside;
  const serving = figure((beside.cpu - alone.cpu) / pictures / 1_000, 1);
  return `${table(head, rows)}

${figure(pictures)} pictures, p95 ${figure(slow)} ms. CPU of a picture: ${serving} ms in the serving process, ${figure(children / pictures / 1_000)} ms in the render processes. Medians of ${rounds} rounds.`;
}
