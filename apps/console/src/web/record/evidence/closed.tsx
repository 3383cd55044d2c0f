import { useState } from "react";
import type { Purpose } from "../../api/shapes.ts";
import { ActError } from "../../ui/act-error.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PurposeChoice } from "../../ui/purpose.tsx";
import type { Evidence } from "./use-evidence.ts";

const words = {
  closed: "What the person submitted: details, document and selfie. It stays open for 15 minutes.",
  open: "Open evidence",
  opening: "Opening…",
  expired: "The evidence closed after 15 minutes. Give a purpose to open it again.",
  shut: "The evidence is closed.",
} as const;

/** Asks for the purpose. Nothing of the evidence is on the page before. */
export function ClosedEvidence({ open, isPending, error, closedBy }: Omit<Evidence, "opened" | "close">) {
  const [purpose, setPurpose] = useState<Purpose>();
  return (
    <form
      className="flex flex-col gap-3 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (purpose && !isPending) open(purpose);
      }}
    >
      <p className="flex items-start gap-2">
        <Icon name="lock" className="mt-0.5 text-muted" />
        <span role="status" className="text-muted">
          {closedBy === "expired" ? words.expired : closedBy === "shut" ? words.shut : words.closed}
        </span>
      </p>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <PurposeChoice
          value={purpose}
          onChange={setPurpose}
          className="flex-col sm:flex-row sm:flex-wrap sm:gap-x-5"
        />
        <Button type="submit" disabled={!purpose || isPending}>
          {isPending ? words.opening : words.open}
        </Button>
      </div>
      <ActError error={error} reads />
    </form>
  );
}
