import { randomInt } from "node:crypto";
import {
  markedSubmission,
  personalData,
  type Submission,
} from "../../deep/faults/clients/marked-submission.ts";
import { digestsOf, encodingsOf } from "../../support/encodings.ts";

/** Marks for the data of callers and providers, which must not appear in any output. */
export interface Marks {
  /** Creates a unique mark of letters and digits. */
  next(): string;
  /** Creates a submission of a new user with a mark in every field. */
  submission(tag?: string): Submission;
  /** Finds every mark in a text, in any encoding and case, with its context. */
  findIn(text: string): string[];
}

export function createMarks(): Marks {
  // The common prefix of all marks. Its hex digits cannot look like a card number.
  const core = Array.from({ length: 16 }, () => "abcdef".charAt(randomInt(6))).join("");
  const submissions: Submission[] = [];
  let made = 0;

  function next(): string {
    made += 1;
    return core + made.toString(16).padStart(4, "0");
  }

  let needles: Set<string> | undefined;

  function findNeedles(): Set<string> {
    const values = new Set(submissions.flatMap(personalData));
    for (const { email } of submissions) values.add(email.toLowerCase());
    const others = [...values].filter((value) => !value.includes(core));
    return new Set([...[core, ...others].flatMap(encodingsOf), ...[...values].flatMap(digestsOf)]);
  }

  return {
    next,
    submission(tag = "approved") {
      const submission = markedSubmission(next(), tag);
      submissions.push(submission);
      needles = undefined;
      return submission;
    },
    findIn(text) {
      needles ??= findNeedles();
      const texts = [text, text.toLowerCase()];
      return [...needles].flatMap((needle) => {
        const where = texts.find((one) => one.includes(needle));
        return where === undefined ? [] : [around(where, needle)];
      });
    },
  };
}

function around(text: string, needle: string): string {
  const at = text.indexOf(needle);
  return `${needle} in …${text.slice(Math.max(0, at - 120), at + needle.length + 40)}…`;
}
