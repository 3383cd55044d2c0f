import type { Purpose } from "../api/shapes.ts";
import { words } from "../words.ts";
import { Choices } from "./choices.tsx";

const { purpose: say } = words;
const purposes = Object.entries(say.of).map(([value, text]) => ({ value: value as Purpose, text }));

interface Props {
  value: Purpose | undefined;
  onChange(value: Purpose): void;
  className?: string;
}

/** Why a person looks at personal data. Nothing is chosen in advance. */
export const PurposeChoice = (props: Props) => <Choices legend={say.legend} options={purposes} {...props} />;
