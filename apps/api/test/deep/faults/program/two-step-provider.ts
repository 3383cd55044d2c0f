import type { CardProvider, ProviderKycRequest, ProviderReply } from "@cardbridge/domain";

/** The name of the first step in `provider_steps`. */
const uploadStep = "upload";

/**
 * Makes a submission two calls: an upload, which generates a new id each time, and the submission that names the id.
 * The upload is not idempotent, so only a stored step makes the second attempt send the same content.
 */
export function twoStepProvider(provider: CardProvider, url: string): CardProvider {
  async function submitKyc(request: ProviderKycRequest): Promise<ProviderReply> {
    const kept = await request.steps.done(uploadStep);
    const uploaded = kept ? kept.id : await upload(url, request.reference);
    if (uploaded === undefined) return { outcome: "unknown", reason: "upload" };
    if (!kept) await request.steps.keep(uploadStep, { id: uploaded });
    const files = { ...request.files, url: (fileUrl: string) => `${fileUrl}#${uploaded}` };
    return provider.submitKyc({ ...request, files });
  }
  return { ...provider, submitKyc };
}

/** The id of a new upload; undefined if its response is lost. */
async function upload(url: string, reference: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/uploads/${reference}`, { method: "POST" });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
