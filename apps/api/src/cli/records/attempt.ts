import { isReversal, type RecordAttempt } from "@cardbridge/domain";
import type { Report } from "../report.ts";
import { changeDocument } from "./change.ts";
import { formatChange, formatState } from "./format.ts";

/** The result of an operator's attempt; `replies` says what the provider replied, in sentences. */
export function attemptReport({ before, after, asked, sent }: RecordAttempt, replies: string): Report {
  const document = { ...changeDocument(before, after), asked, sent };
  if (!after) return { document, text: "", problem: `${replies} This could not be stored: ask again.` };
  const { outcome } = sent ?? asked;
  if (outcome === "unknown" || outcome === "unsent") {
    return { document, text: "", problem: `${replies} The record is ${formatState(after)}.` };
  }
  const warning = isReversal(before, after)
    ? ["A final status was replaced by another one: look into it."]
    : [];
  return { document, text: [replies, formatChange(before, after), ...warning].join("\n") };
}
