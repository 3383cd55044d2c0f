import type { ProviderKycRequest } from "@cardbridge/domain";
import { FormData } from "undici";
import type { FailedReply } from "../kyc/failed-reply.ts";
import { type Calls, parseAnswer } from "./answers.ts";
import { uploads } from "./fields.ts";
import { uploadedFile } from "./wire.ts";

const extensions: Readonly<Record<string, string>> = { "image/png": "png", "application/pdf": "pdf" };

/**
 * Uploads the document's images one after another, each as a step, and returns their ids by field. An upload without a response is repeated: files
 * cannot be queried, and an unused file has no effect.
 */
export async function uploadFiles(
  { applicant, steps, files }: Pick<ProviderKycRequest, "applicant" | "steps" | "files">,
  { client, context, remaining }: Calls,
): Promise<{ files: Map<string, string> } | { failed: FailedReply }> {
  const ids = new Map<string, string>();
  for (const { field, name } of uploads) {
    const url = applicant[field];
    if (typeof url !== "string") continue;
    const step = `file:${field}`;
    const kept = await steps.done(step);
    if (kept?.id !== undefined) {
      ids.set(field, kept.id);
      continue;
    }
    const uploaded = await uploadFile(await files.open(url), name, { client, context, remaining });
    if ("failed" in uploaded) return uploaded;
    await steps.keep(step, { id: uploaded.id });
    ids.set(field, uploaded.id);
  }
  return { files: ids };
}

/** Uploads a file and returns its id. */
export async function uploadFile(
  file: Blob,
  name: string,
  { client, context, remaining }: Calls,
): Promise<{ id: string } | { failed: FailedReply }> {
  const result = await client.upload(formOf(file, name), remaining());
  const parsed = parseAnswer(result, uploadedFile, context);
  return "failed" in parsed ? parsed : { id: parsed.data.file_id };
}

/** The file name contains no user data. Airwallex accepts up to 50 characters. */
function formOf(file: Blob, name: string): FormData {
  const form = new FormData();
  form.append("file", file, `${name}.${extensions[file.type] ?? "jpg"}`);
  return form;
}
