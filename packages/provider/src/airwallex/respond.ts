import type { AnswerReply, ProviderAnswer } from "@cardbridge/domain";
import { isUnsent } from "../http/call-result.ts";
import { failedReply, invalidReply } from "../kyc/failed-reply.ts";
import { type Calls, parseAnswer } from "./answers.ts";
import { clientErrorOf, meaningOf } from "./client-errors.ts";
import { openRound, readRfi, requestId, rfisPath } from "./rfis.ts";
import { uploadFile } from "./uploads.ts";
import { type RfiRound, rfi } from "./wire.ts";

type Question = RfiRound["questions"][number];

/**
 * Answers all questions of an RFI: reads it, uploads the files, marks the response, responds. A response has no request
 * id, so the RFI is read first, and again after an error: an answered one is not answered again. The mark tells our
 * answer from that of somebody in Airwallex's web app.
 */
export async function respond(answer: ProviderAnswer, calls: Calls): Promise<AnswerReply> {
  const { client, context, remaining } = calls;
  const { steps, answerReference, requestId: id } = answer;
  const [rfiId = ""] = id.split("/");
  const round = id.slice(0, id.lastIndexOf("/"));
  const mark = `respond:${round}`;
  const before = await readRfi(rfiId, calls);
  // After the RFI: the mark of an answer that it shows is stored.
  const isMarked = (await steps.done(mark))?.reference === answerReference;
  const failed = isMarked ? "unknown" : "unsent";
  if ("failed" in before) return { ...before.failed, outcome: failed };
  const open = openRound(before.rfi, round);
  if (!open) return isMarked ? { outcome: "accepted" } : { outcome: "unknown", reason: "mismatched" };

  const beforeResponse: Calls = { ...calls, context: { ...context, failed } };
  const filled = await fill(open, round, answer, beforeResponse);
  // A question has no answer: the round changed since it was reported.
  if (!filled) return { outcome: failed, reason: "mismatched" };
  if ("failed" in filled) return filled.failed;
  await steps.keep(mark, { reference: answerReference });
  const path = `${rfisPath}/${encodeURIComponent(rfiId)}/respond`;
  const result = await client.create("rfis", path, filled, remaining());
  if (isUnsent(result)) return failedReply(result, beforeResponse.context);

  const error = clientErrorOf(result);
  if (error) {
    // An attempt that lost its record may have answered in between.
    const after = await readRfi(rfiId, calls);
    if ("failed" in after) return after.failed;
    if (!openRound(after.rfi, round)) return { outcome: "accepted" };
    if (meaningOf(error) === "refused") return { outcome: "refused", reason: "OTHER" };
  }
  const parsed = parseAnswer(result, rfi, context);
  if ("failed" in parsed) return parsed.failed;
  return parsed.data.id === rfiId ? { outcome: "accepted" } : invalidReply("mismatched", context);
}

/** Uploads the files of every question of a round, and returns the body of the response. */
async function fill(round: RfiRound, id: string, answer: ProviderAnswer, calls: Calls) {
  const answers = [answer, ...(answer.others ?? [])];
  const questions: { id: string; answer: object }[] = [];
  for (const question of round.questions) {
    const given = answers.find((one) => one.requestId === requestId(id, question));
    if (!given) return undefined;
    const uploaded: Uploaded[] = [];
    for (const { documentType, fileUrl } of given.documents) {
      const file = await uploadFile(await answer.files.open(fileUrl), "answer", calls);
      if ("failed" in file) return file;
      uploaded.push({ documentType, fileId: file.id });
    }
    questions.push({ id: question.id, answer: toAnswer(question, uploaded) });
  }
  return { questions };
}

interface Uploaded {
  documentType: string;
  fileId: string;
}

/** `RfiRequestItemResponseDto` of the SDK. Nothing but the files is known of an identity document. */
function toAnswer({ answer }: Question, uploaded: readonly Uploaded[]): object {
  const type = answer?.type;
  if (type !== "IDENTITY_DOCUMENT")
    return { type, attachments: uploaded.map(({ fileId }) => ({ file_id: fileId })) };
  const idOf = (wanted: string) => uploaded.find(({ documentType }) => documentType === wanted)?.fileId;
  const sides = { front_file_id: idOf("DOCUMENT_FRONT"), back_file_id: idOf("DOCUMENT_BACK") };
  return { type, identity_document: sides };
}
