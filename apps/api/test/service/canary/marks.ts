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
  // The common prefix of all phone numbers, longer than what other digits contain by chance.
  const phoneCore = String(randomInt(10 ** 13, 10 ** 14));
  const needles = new Set([core, phoneCore].flatMap(encodingsOf));
  const digests = createDigests();
  let made = 0;

  function next(): string {
    made += 1;
    return core + made.toString(16).padStart(4, "0");
  }

  return {
    next,
    submission(tag = "approved") {
      const phoneNumber = phoneCore + String(made).padStart(4, "0");
      const submission = { ...markedSubmission(next(), tag), phoneNumber };
      for (const value of [...personalData(submission), submission.email.toLowerCase()]) {
        if (!value.includes(core) && !value.includes(phoneCore))
          for (const form of encodingsOf(value)) needles.add(form);
        digests.add(value);
      }
      return submission;
    },
    findIn(text) {
      const texts = [text, text.toLowerCase()];
      const found = [...needles].flatMap((needle) => {
        const where = texts.find((one) => one.includes(needle));
        return where === undefined ? [] : [around(where, where.indexOf(needle), needle.length)];
      });
      return [...found, ...texts.flatMap(digests.findIn)];
    },
  };
}

/** The shortest digest, MD5 in base64 without padding, and how much of a digest is compared. */
const [shortest, compared] = [22, 16];

/** Digests of values. Only texts as long as a digest are looked up, by their first characters. */
function createDigests() {
  const starts = new Set<string>();
  const values = new Set<string>();
  return {
    add(value: string) {
      if (values.has(value)) return;
      values.add(value);
      for (const digest of digestsOf(value)) starts.add(digest.slice(0, compared));
    },
    findIn(text: string): string[] {
      const found = [];
      for (const { 0: run, index } of text.matchAll(new RegExp(`[\\w+/-]{${shortest},}`, "g"))) {
        for (let at = 0; at + shortest <= run.length; at += 1)
          if (starts.has(run.slice(at, at + compared))) found.push(around(text, index + at, compared));
      }
      return found;
    },
  };
}

function around(text: string, at: number, length: number): string {
  return `${text.slice(at, at + length)} in …${text.slice(Math.max(0, at - 120), at + length + 40)}…`;
}
