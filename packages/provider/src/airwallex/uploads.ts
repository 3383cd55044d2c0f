import type { ProviderKycRequest, ProviderReply } from "@cardbridge/domain";
import { FormData } from "undici";
import type { ReplyContext } from "../kyc/failed-reply.ts";
import { parseAnswer } from "./answers.ts";
import type { AirwallexClient } from "./client.ts";
import { uploads } from "./fields.ts";
import { uploadedFile } from "./wire.ts";

interface Options {
  client: Pick<AirwallexClient, "upload">;
  context: ReplyContext;
  /** The remaining time for the submission, in milliseconds. */
  remaining(): number;
}

const extensions: Readonly<Record<string, string>> = { "image/png": "png", "application/pdf": "pdf" };

/**
 * Uploads the document's images one after another, each as a step, and returns their ids by field. An upload without a response is repeated: files
 * cannot be queried, and an unused file has no effect.
 */
export async function uploadFiles(
  { applicant, steps, files }: Pick<ProviderKycRequest, "applicant" | "steps" | "files">,
  { client, context, remaining }: Options,
): Promise<{ files: Map<string, string> } | { failed: ProviderReply }> {
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
    const result = await client.upload(formOf(await files.open(url), name), remaining());
    const parsed = parseAnswer(result, uploadedFile, context);
    if ("failed" in parsed) return parsed;
    await steps.keep(step, { id: parsed.data.file_id });
    ids.set(field, parsed.data.file_id);
  }
  return { files: ids };
}

/** The file name contains no user data. Airwallex accepts up to 50 characters. */
function formOf(file: Blob, name: string): FormData {
  const form = new FormData();
  form.append("file", file, `${name}.${extensions[file.type] ?? "jpg"}`);
  return form;
}
