import { Link } from "@tanstack/react-router";
import type { ShownRecord } from "../../api/shapes.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { words } from "../../words.ts";

const { decision: say } = words;

interface Props {
  record: ShownRecord;
  code: string | undefined;
  reload(): Promise<void>;
}

/** The way on when the record is not as the person saw it, or when a colleague proposed the same. */
export function ConflictHelp({ record: { kycRecordId }, code, reload }: Props) {
  return (
    <p className="mt-2 flex flex-wrap gap-2">
      <Button onClick={() => void reload()}>{say.again}</Button>
      {code === "PROPOSAL_CONFLICT" && (
        <Link to="/proposals" search={{ tab: "open", record: kycRecordId }} className={buttonClass("plain")}>
          {say.proposals}
        </Link>
      )}
    </p>
  );
}
