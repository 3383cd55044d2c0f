import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../../api/client.ts";
import type { Hold } from "../../api/shapes.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { shared } from "../../lib/words.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Card, Section } from "../../ui/section.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import type { ActProps } from "./act-row.tsx";
import { useAct } from "./use-act.ts";

const words = {
  holds: "Legal holds",
  holdsMore: "Only the newest holds are shown.",
  holdActive: "active",
  holdLifted: "lifted",
  holdOfRecord: "of a verification",
  holdUntil: "until",
  placed: "placed",
  lift: "Lift…",
  liftTitle: "Lift this legal hold?",
  liftHappens: (reference: string) =>
    `This proposes to lift the hold for case ${reference}. Another person confirms it within 24 hours. Then what it protects may be erased or deleted.`,
  liftAct: "Propose to lift it",
  liftAlone: "Lift the hold",
  liftWord: "LIFT",
  lifted: "The lift is proposed.",
  liftDone: "The hold is lifted.",
} as const;

/** The legal holds of a user, lifted ones too. Without any, nothing. */
export function Holds({ user: { platformId, externalUserId }, platform }: ActProps) {
  const { data, error, refetch } = useQuery(
    api.holds.list.queryOptions({ platformId, externalUserId, limit: 50 }),
  );
  if (!error && (data?.holds.length ?? 0) === 0) return null;
  return (
    <Section title={words.holds}>
      <Card>
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          data?.holds.map((hold) => <HoldRow key={hold.holdId} {...{ hold, platformId, platform }} />)
        )}
        {data?.more && <p className="border-t border-line px-4 py-2 text-13 text-muted">{words.holdsMore}</p>}
      </Card>
    </Section>
  );
}

function HoldRow({ hold, platformId, platform }: { hold: Hold; platformId: string; platform: string }) {
  const { holdId, externalUserId, reference, active, until, liftedAt, kycRecordId, placedAt } = hold;
  const fourEyes = useFourEyes();
  const [note, setNote] = useState("");
  const act = useAct((text: string) =>
    client.holds.lift.mutate({ platformId, holdId, ...(text.trim() !== "" && { note: text.trim() }) }),
  );
  const state = active ? words.holdActive : liftedAt !== null ? words.holdLifted : shared.userActs.holdEnded;
  return (
    <div className="border-t border-line px-4 py-2 first:border-t-0">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="mono break-all">{reference}</p>
          <p className="text-13 text-muted">
            <span className={active ? "font-medium text-attention" : undefined}>{state}</span>
            {kycRecordId !== null && ` · ${words.holdOfRecord}`} · {words.placed} <Time at={placedAt} />
            {active && until !== null && (
              <>
                {" "}
                · {words.holdUntil} <Time at={until} />
              </>
            )}
          </p>
        </div>
        {active && (
          <Button kind="toDanger" onClick={act.start}>
            {words.lift}
          </Button>
        )}
      </div>
      <div role="status" className="mt-2 empty:hidden">
        {act.data && <Proposed proposal={act.data.proposal} proposed={words.lifted} done={words.liftDone} />}
      </div>
      <ActDialog
        {...act.dialog}
        title={words.liftTitle}
        happens={
          fourEyes
            ? words.liftHappens(reference)
            : shared.proposals.happens.liftHold(shortId(externalUserId), platform)
        }
        act={fourEyes ? words.liftAct : words.liftAlone}
        word={fourEyes ? undefined : words.liftWord}
        danger
        onAct={() => act.run(note)}
      >
        <NoteField value={note} onChange={setNote} />
      </ActDialog>
    </div>
  );
}
