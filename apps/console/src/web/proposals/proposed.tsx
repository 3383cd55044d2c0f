import type { Proposal } from "../api/shapes.ts";
import { Notice } from "../ui/notice.tsx";
import { words } from "./words.ts";

interface Props {
  /** Null if the act is done without a second person. */
  proposal: Proposal | null;
  proposed: string;
  done: string;
}

/** What came of an act that needs two persons. */
export const Proposed = ({ proposal, proposed, done }: Props) =>
  proposal ? (
    <Notice meaning="waiting">
      {proposed} {words.proposed}
    </Notice>
  ) : (
    <Notice meaning="good">{done}</Notice>
  );
