import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { request } from "undici";
import { startIssuer } from "../lib/issuer.mjs";
import { connect, countOf, openLoad, quantile } from "../lib/load.mjs";
import { lists, submission } from "../lib/requests.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

const listsPerSecond = 40;
/** 12 megapixels, as a telephone takes them. */
const [width, height] = [4_000, 3_000];
const viewers = 2;

/**
 * 40 lists a second: alone, beside two persons who look at one picture after another, and beside such persons at another
 * process, which serves the internal apps only.
 */
export async function run({ full, say }) {
  const seconds = full ? 60 : 15;
  await using issuer = await startIssuer();
  await using world = await createWorld();
  const settings = { ...issuer.env, FOUR_EYES: "off" };
  const service = await world.service(settings);
  const apart = await world.service(settings);
  const evidence = await makeEvidence(world, service.url);
  const measure = () => steady(service.url, lists(world), seconds);
  const measureBeside = async ({ url }) => {
    const persons = await Promise.all(
      Array.from({ length: viewers }, async (_, index) => {
        const token = await issuer.token(`viewer-${index}`, ["compliance"]);
        return openEvidence(url, evidence, token);
      }),
    );
    const looking = persons.map((look) => repeat(look));
    const measured = await measure();
    const pictures = (await Promise.all(looking.map(({ stop }) => stop()))).flat();
    return { ...measured, pictures: pictures.sort((a, b) => a - b) };
  };
  await measure();
  say("alone");
  const alone = await measure();
  say(`beside ${viewers} viewers of evidence`);
  const beside = await measureBeside(service);
  say(`beside ${viewers} viewers of evidence at another process`);
  const besideApart = await measureBeside(apart);
  return textOf({ alone, beside, besideApart, seconds });
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

/** Repeats work until it is stopped; `stop` returns the results. */
function repeat(work) {
  const results = [];
  let stopped = false;
  const done = (async () => {
    while (!stopped) results.push(await work());
    return results;
  })();
  return {
    stop() {
      stopped = true;
      return done;
    },
  };
}

async function answerOf(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

async function steady(url, next, seconds) {
  const { answers, rest } = await openLoad(await connect(url, 50), next, {
    perSecond: listsPerSecond,
    seconds,
  });
  await rest;
  const millis = answers.map((answer) => answer.millis).sort((a, b) => a - b);
  const counts = [...countOf(answers)].map(([status, count]) => `${count} × ${status}`).join(", ");
  return { counts, p50: quantile(millis, 0.5), p99: quantile(millis, 0.99) };
}

function textOf({ alone, beside, besideApart, seconds }) {
  const row = (name, { p50, p99, counts, pictures }) => [
    name,
    figure(p50),
    figure(p99),
    counts,
    pictures ? figure(pictures.length) : "",
    pictures ? figure(quantile(pictures, 0.95)) : "",
  ];
  const rows = [
    row("alone", alone),
    row(`beside ${viewers} viewers of 12 MP pictures`, beside),
    row("beside them at another process", besideApart),
  ];
  const head = [
    `${listsPerSecond} lists a second`,
    "p50 ms",
    "p99 ms",
    "answers",
    `pictures in ${seconds} s`,
    "p95 ms",
  ];
  return table(head, rows);
}
