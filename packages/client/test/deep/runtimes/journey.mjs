import { createClient, verifyWebhook } from "@cardbridge/client";
import { onboard } from "../../../examples/onboard.mjs";

/** Runs the example, and the features that depend on the runtime: streams, progress and signals. */
export async function journey({ baseUrl, apiKey, person, image, pdf, webhook }) {
  const client = createClient({ baseUrl, apiKey });
  const images = {
    frontImageUrl: blobOf(image),
    selfieImageUrl: blobOf(image).stream(),
    addressProof: blobOf(pdf),
  };
  const asked = [];
  const card = await onboard(client, person, images, async (changes) => {
    asked.push(...changes.map(({ code, rule }) => code ?? rule));
    return { documentNumber: "E7654321" };
  });
  let progress;
  const onProgress = (now) => {
    progress = now;
  };
  await client.files.upload({ purpose: "selfie", file: blobOf(image) }, { onProgress });
  const kindOf = (call) =>
    call.then(
      () => "none",
      ({ kind, code, reason }) => code ?? kind ?? reason,
    );
  const verified = await verifyWebhook(webhook.body, new Headers(webhook.headers), webhook.secret);
  return {
    status: card.status,
    verified: verified.data.status,
    asked,
    isWhole: progress.loaded === progress.total && progress.total > 0,
    forged: await kindOf(verifyWebhook(bytesOf("AAAA"), webhook.headers, webhook.secret)),
    unknown: await kindOf(client.kyc.get({ memberId: "nobody" })),
    aborted: await kindOf(client.cards.list({ memberId: "alice" }, { signal: AbortSignal.abort() })),
    late: await kindOf(client.cards.list({ memberId: "alice" }, { timeoutMs: 0 })),
    nowhere: await kindOf(
      createClient({ baseUrl: "http://127.0.0.1:1", apiKey, maxRetries: 0 }).kyc.get({ email: "a" }),
    ),
  };
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
const blobOf = (base64) => new Blob([bytesOf(base64)]);
