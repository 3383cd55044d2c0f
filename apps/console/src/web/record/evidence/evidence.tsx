import { useRef, useState } from "react";
import type { Purpose } from "../../api/shapes.ts";
import { useKeys } from "../../lib/use-keys.ts";
import { shared } from "../../lib/words.ts";
import { ActError } from "../../ui/act-error.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PurposeChoice } from "../../ui/purpose.tsx";
import { RecentSignIn, useIsRecent } from "../../ui/recent-sign-in.tsx";
import { Card, Section } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { Compare } from "./compare.tsx";
import { Details } from "./details.tsx";
import type { OpenEvidence, Evidence as State } from "./use-evidence.ts";

const words = {
  title: "Evidence",
  closed: "What the person submitted: details, document and selfie. It stays open for 15 minutes.",
  expired: "The evidence closed after 15 minutes. Give a purpose to open it again.",
  shut: "The evidence is closed.",
  open: "Open evidence",
  opening: "Opening…",
  opened: (purpose: string) => `Opened for ${purpose}`,
  audit: (id: string) => `audit ${id}`,
  closes: "closes",
  close: "Close evidence",
  erased: "Nothing is left to show",
  erasedText: "The user was erased, and what the person submitted with them.",
} as const;

interface Props {
  evidence: State;
  /** Whether the person may decide about what the evidence shows. */
  mayDecide: boolean;
}

/** What the person submitted: closed until somebody gives a purpose. */
export function Evidence({ evidence, mayDecide }: Props) {
  const { opened, close } = evidence;
  const place = useRef<HTMLDivElement>(null);
  useKeys({
    e: () => {
      place.current?.scrollIntoView({ block: "start" });
      place.current?.querySelector<HTMLElement>("input, a, button, [tabindex='0']")?.focus();
    },
  });
  return (
    <div ref={place} className="min-w-0 scroll-my-20">
      <Section title={words.title}>
        <Card>
          {opened ? (
            <OpenedEvidence opened={opened} close={close} />
          ) : (
            <ClosedEvidence {...evidence} mayDecide={mayDecide} />
          )}
        </Card>
      </Section>
    </div>
  );
}

type ClosedProps = Omit<State, "opened" | "close"> & Pick<Props, "mayDecide">;

/**
 * Asks for the purpose. Nothing of the evidence is on the page before. Whoever may decide signs in again here, and not when
 * the decision is entered.
 */
function ClosedEvidence({ open, isPending, error, closedBy, mayDecide }: ClosedProps) {
  const [purpose, setPurpose] = useState<Purpose>();
  const mustSignIn = !useIsRecent() && mayDecide;
  const isReady = purpose !== undefined && !mustSignIn && !isPending;
  return (
    <form
      className="flex flex-col gap-3 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) open(purpose);
      }}
    >
      <p className="flex items-start gap-2">
        <Icon name="lock" className="mt-0.5 text-muted" />
        <span role="status" className="text-muted">
          {words[closedBy ?? "closed"]}
        </span>
      </p>
      {mustSignIn && <RecentSignIn />}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <PurposeChoice
          value={purpose}
          onChange={setPurpose}
          className="flex-col sm:flex-row sm:flex-wrap sm:gap-x-5"
        />
        <Button type="submit" shortcut="e" disabled={!isReady}>
          {isPending ? words.opening : words.open}
        </Button>
      </div>
      <ActError error={error} reads />
    </form>
  );
}

interface OpenedProps {
  opened: OpenEvidence;
  close: State["close"];
}

/** The open evidence: why and until when, two pictures side by side, and the details beside them. */
function OpenedEvidence({ opened, close }: OpenedProps) {
  const { purpose, auditId, closesAt, submission } = opened;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-attention-line bg-attention-tint px-4 py-1.5">
        <p role="status" className="min-w-0 text-attention">
          <span className="font-medium">{words.opened(shared.purpose.short[purpose])}</span> ·{" "}
          {words.audit(auditId)} · {words.closes} <Time at={new Date(closesAt).toISOString()} />
        </p>
        <Button className="ml-auto h-8" onClick={() => close()}>
          {words.close}
        </Button>
      </div>
      {submission ? (
        <div className="grid wide:grid-cols-[minmax(0,1fr)_372px]">
          <Compare opened={opened} onShut={() => close("shut")} />
          <Details submission={submission} />
        </div>
      ) : (
        <Empty title={words.erased} text={words.erasedText} />
      )}
    </>
  );
}
