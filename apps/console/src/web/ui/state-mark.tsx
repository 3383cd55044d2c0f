import type { Meaning } from "../lib/why.ts";
import { cx } from "./class.ts";

const text: Record<Meaning, string> = {
  good: "text-good",
  waiting: "text-waiting",
  attention: "text-attention",
  bad: "text-bad",
  plain: "text-muted",
};

const box: Record<Meaning, string> = {
  good: "border-good-line bg-good-tint",
  waiting: "border-waiting-line bg-waiting-tint",
  attention: "border-attention-line bg-attention-tint",
  bad: "border-bad-line bg-bad-tint",
  plain: "border-line bg-sunken",
};

/** The shape of a meaning: a filled disc needs somebody, a ring waits, a tick is good, a cross is bad. */
export function Shape({ meaning, className = "" }: { meaning: Meaning; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 12 12"
      className={cx("size-3 shrink-0", text[meaning], className)}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {meaning === "attention" && <circle cx="6" cy="6" r="5" fill="currentColor" stroke="none" />}
      {meaning === "waiting" && <circle cx="6" cy="6" r="4" />}
      {meaning === "good" && <path d="m1.500 6.500 3 3 6-7" />}
      {meaning === "bad" && <path d="m2 2 8 8M10 2l-8 8" />}
      {meaning === "plain" && <path d="M2 6h8" />}
    </svg>
  );
}

/** A state as shape and word in a box. */
export function StateMark({ meaning, word }: { meaning: Meaning; word: string }) {
  return (
    <span
      className={cx(
        "inline-flex h-6 items-center gap-1.5 rounded border px-2 text-13 font-medium whitespace-nowrap",
        text[meaning],
        box[meaning],
      )}
    >
      <Shape meaning={meaning} />
      {word}
    </span>
  );
}

export const meaningText = (meaning: Meaning): string => text[meaning];
export const meaningBox = (meaning: Meaning): string => box[meaning];
