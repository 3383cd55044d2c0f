import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useKeys } from "../lib/use-keys.ts";
import { nextCase, place } from "../queue/place.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const words = {
  nextCase: "Next case",
  noNextCase: "That was the last record of this queue.",
  backAll: "Queue",
  changed: "It changed:",
  show: "Show",
} as const;

interface Props {
  kycRecordId: string;
  changed: boolean;
  reload(): Promise<void>;
}

/** Back to the queue, and on to the next case. */
export function Way({ kycRecordId, changed, reload }: Props) {
  const navigate = useNavigate();
  const [ended, setEnded] = useState(false);
  const next = nextCase(kycRecordId);
  const goOn = () => {
    if (next === undefined) return setEnded(true);
    place.focused = next;
    void navigate({ to: "/records/$kycRecordId", params: { kycRecordId: next } });
  };
  useKeys({ n: goOn });
  return (
    <div className="mb-3 flex items-center justify-between gap-2">
      <Link
        to="/queue"
        search={place.search}
        className="-ml-1.5 inline-flex h-9 items-center gap-1 rounded px-1.5 text-muted hover:text-text"
      >
        <Icon name="back" />
        {words.backAll}
      </Link>
      <Changed changed={changed} reload={reload} />
      <span aria-live="polite" className="flex items-center gap-3 text-13 text-muted">
        {ended && words.noNextCase}
        {place.rows.length > 0 && (
          <Button kind="quiet" shortcut="n" onClick={goOn}>
            {words.nextCase}
          </Button>
        )}
      </span>
    </div>
  );
}

/** Says that the record changed after it was read. Its place is always there, so that nothing moves. */
function Changed({ changed, reload }: { changed: boolean; reload(): Promise<void> }) {
  const [loading, setLoading] = useState(false);
  return (
    <span aria-live="polite" className="ml-auto">
      {changed && (
        <Button
          kind="quiet"
          disabled={loading}
          onClick={() => {
            setLoading(true);
            void reload().finally(() => setLoading(false));
          }}
        >
          {words.changed} <span className="underline underline-offset-2">{words.show}</span>
        </Button>
      )}
    </span>
  );
}
