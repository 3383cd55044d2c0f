import { useNavigate } from "@tanstack/react-router";
import { useKeys } from "../lib/use-keys.ts";
import { nextCase, place } from "../queue/place.ts";
import { Back } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";

const words = {
  nextCase: "Next case",
  last: "That was the last record of this queue.",
  queue: "Queue",
  changed: "It changed:",
  show: "Show",
} as const;

interface Props {
  kycRecordId: string;
  isChanged: boolean;
  reload(): Promise<void>;
}

/** Back to the queue, on to the next case, and between them that the record changed, whose place is always there. */
export function Way({ kycRecordId, isChanged, reload }: Props) {
  const navigate = useNavigate();
  const next = nextCase(kycRecordId);
  const goOn = () => {
    if (next === undefined) return;
    place.focused = next;
    void navigate({ to: "/records/$kycRecordId", params: { kycRecordId: next } });
  };
  useKeys({ j: goOn });
  return (
    <div className="flex items-start justify-between gap-2 text-13 text-muted">
      <Back name={words.queue} link={{ to: "/queue", search: place.search }} />
      <span aria-live="polite" className="ml-auto">
        {isChanged && (
          <Button kind="quiet" onClick={() => void reload()}>
            {words.changed} <span className="underline underline-offset-2">{words.show}</span>
          </Button>
        )}
      </span>
      {next ? (
        <Button kind="quiet" shortcut="j" onClick={goOn}>
          {words.nextCase}
        </Button>
      ) : (
        place.rows.length > 0 && <span className="py-2">{words.last}</span>
      )}
    </div>
  );
}
