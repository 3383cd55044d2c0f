import { Link } from "@tanstack/react-router";
import type { ShownRecord } from "../../api/shapes.ts";
import { Button, buttonClass } from "../../ui/button.tsx";

const words = {
  again: "Show the new state",
  proposals: "Look at the open proposals",
} as const;

interface Props {
  record: ShownRecord;
  code: string | undefined;
  reload(): Promise<void>;
}

/** The way on when the record is not as the person saw it, or when a colleague proposed the same. */
export function ConflictHelp({ record: { kycRecordId }, code, reload }: Props) {
  return (
    <p className="mt-2 flex flex-wrap gap-2">
      <Button onClick={() => void reload()}>{words.again}</Button>
      {code === "PROPOSAL_CONFLICT" && (
        <Link to="/proposals" search={{ tab: "open", record: kycRecordId }} className={buttonClass("plain")}>
          {words.proposals}
        </Link>
      )}
    </p>
  );
}
