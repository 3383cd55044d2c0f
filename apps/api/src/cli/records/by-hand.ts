import { isReversal, type KycFile } from "@cardbridge/domain";
import type { ByHand } from "../../operations/by-hand.ts";
import type { Report } from "../report.ts";
import { sentenceOf } from "./answers.ts";
import { changeOf, standing } from "./words.ts";

/** What asking the provider came to. */
export function askReport(came: ByHand): Report {
  return attemptReport(came, sentenceOf(came.asked));
}

/** What sending a submission again came to, or why it was not sent. */
export function resendReport(came: ByHand): Report {
  const sent = came.sent ? `It was sent again. ${sentenceOf(came.sent)}` : "Nothing was sent.";
  return attemptReport(came, `${sentenceOf(came.asked)} ${sent}`);
}

/** What settling by hand changed. */
export function settleReport({ before, after }: { before: KycFile; after: KycFile }): Report {
  return { document: changeDocument(before, after), text: changeOf(before, after) };
}

function attemptReport({ before, after, asked, sent }: ByHand, said: string): Report {
  const document = { ...changeDocument(before, after), asked, sent };
  if (!after) return { document, text: "", problem: `${said} This could not be stored: ask again.` };
  const { outcome } = sent ?? asked;
  if (outcome === "unknown" || outcome === "unsent") {
    return { document, text: "", problem: `${said} The record is ${standing(after)}.` };
  }
  const reversed = isReversal(before.record, after.record);
  const alarm = reversed ? ["One final status gave way to another: look into it."] : [];
  return { document, text: [said, changeOf(before, after), ...alarm].join("\n") };
}

function changeDocument(before: KycFile, after: KycFile | null) {
  const { kycRecordId } = before.record;
  return { kycRecordId, before: stateDocument(before), after: after && stateDocument(after) };
}

function stateDocument({ record: { settlement, status, subStatus, cardAccountId }, job }: KycFile) {
  return { settlement, status, subStatus, cardAccountId, held: job.heldAt !== null };
}
