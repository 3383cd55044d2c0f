import { randomInt } from "node:crypto";
import { markedSubmission, personalData, type Submission } from "../../faults/clients/marked-submission.ts";
import { digestsOf, formsOf } from "../../support/forms.ts";

/** Marks to put into whatever a caller or a provider sends, and to look for wherever they may not come out. */
export interface Marks {
  /** A new mark: letters and digits that occur nowhere else in the world. */
  next(): string;
  /** A submission of a new user, marked in every field. */
  submission(tag?: string): Submission;
  /** Every mark in a text, in whatever form and case, each with what stands around it. */
  findIn(text: string): string[];
}

export function createMarks(): Marks {
  // What all marks begin with: who looks for it looks for all of them. Hex without digits is no card number.
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
    return new Set([...[core, ...others].flatMap(formsOf), ...[...values].flatMap(digestsOf)]);
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
