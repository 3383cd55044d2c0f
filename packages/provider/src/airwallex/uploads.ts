import type { ProviderKycRequest, ProviderReply } from "@cardbridge/domain";
import { FormData } from "undici";
import type { ReplyContext } from "../kyc/failed-reply.ts";
import { parseAnswer } from "./answers.ts";
import type { DocumentFiles } from "./cardholder-request.ts";
import type { AirwallexClient } from "./client.ts";
import { uploadedFile } from "./wire.ts";

interface Options {
  client: Pick<AirwallexClient, "upload">;
  context: ReplyContext;
  /** The remaining time for the submission, in milliseconds. */
  remaining(): number;
}

const extensions: Readonly<Record<string, string>> = { "image/png": "png", "application/pdf": "pdf" };

/**
 * Uploads the document's images one after another, each as a step. An upload without a response is repeated: files
 * cannot be queried, and an unused file has no effect.
 */
export async function uploadFiles(
  { applicant, steps, files }: Pick<ProviderKycRequest, "applicant" | "steps" | "files">,
  { client, context, remaining }: Options,
): Promise<{ files: DocumentFiles } | { failed: ProviderReply }> {
  const ids: string[] = [];
  for (const name of ["frontImageUrl", "backImageUrl"] as const) {
    const url = applicant[name];
    if (url === undefined) continue;
    const step = `file:${name}`;
    const kept = await steps.done(step);
    if (kept?.id !== undefined) {
      ids.push(kept.id);
      continue;
    }
    const result = await client.upload(formOf(await files.open(url), name), remaining());
    const parsed = parseAnswer(result, uploadedFile, context);
    if ("failed" in parsed) return parsed;
    await steps.keep(step, { id: parsed.data.file_id });
    ids.push(parsed.data.file_id);
  }
  const [front = "", back] = ids;
  return { files: { front, back } };
}

/** The file name contains no user data. Airwallex accepts up to 50 characters. */
function formOf(file: Blob, name: "frontImageUrl" | "backImageUrl"): FormData {
  const form = new FormData();
  const side = name === "frontImageUrl" ? "front" : "back";
  form.append("file", file, `${side}.${extensions[file.type] ?? "jpg"}`);
  return form;
}
