import type { Purpose } from "../api/shapes.ts";
import { Choices } from "./choices.tsx";

const words = {
  legend: "Why do you need it? The audit keeps your answer.",
  of: {
    review: "For a review",
    fraud: "Suspected fraud",
    person: "The person asks for it",
    authority: "An authority asks for it",
    quality: "Quality check",
  },
} as const;

const purposes = Object.entries(words.of).map(([value, text]) => ({ value: value as Purpose, text }));

interface Props {
  value: Purpose | undefined;
  onChange(value: Purpose): void;
  className?: string;
}

/** Why a person looks at personal data. Nothing is chosen in advance. */
export const PurposeChoice = (props: Props) => (
  <Choices legend={words.legend} options={purposes} {...props} />
);
