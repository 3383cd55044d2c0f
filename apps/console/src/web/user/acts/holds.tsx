import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../../api/client.ts";
import type { Hold } from "../../api/shapes.ts";
import { shortTime } from "../../lib/age.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { shared } from "../../lib/words.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Card, Section } from "../../ui/section.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { Act, type ActProps } from "./act.tsx";

const words = {
  holds: "Legal holds",
  more: "Only the newest holds are shown.",
  active: "active",
  wasLifted: "lifted",
  ended: "ended",
  ofRecord: "of a verification",
  until: "until",
  placed: "placed",
  open: "Lift…",
  title: "Lift this legal hold?",
  happens: (reference: string) =>
    `This proposes to lift the hold for case ${reference}. Another person confirms it within 24 hours. Then what it protects may be erased or deleted.`,
  act: "Propose to lift it",
  alone: "Lift the hold",
  word: "LIFT",
  proposed: "The lift is proposed.",
  done: "The hold is lifted.",
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
        {data?.more && <p className="border-t border-line px-4 py-2 text-13 text-muted">{words.more}</p>}
      </Card>
    </Section>
  );
}

interface HoldProps {
  hold: Hold;
  platformId: string;
  platform: string;
}

function HoldRow({ hold, platformId, platform }: HoldProps) {
  const { holdId, externalUserId, reference, active, until, liftedAt, kycRecordId, placedAt } = hold;
  const fourEyes = useFourEyes();
  const [note, setNote] = useState("");
  const state = active ? words.active : liftedAt !== null ? words.wasLifted : words.ended;
  const text = (
    <>
      <span className={active ? "font-medium text-attention" : undefined}>{state}</span>
      {kycRecordId !== null && ` · ${words.ofRecord}`} · {words.placed} <Time at={placedAt} />
      {active && until !== null && ` · ${words.until} ${shortTime(until)}`}
    </>
  );
  return (
    <Act
      name={<span className="mono font-normal break-all text-text">{reference}</span>}
      text={text}
      open={active ? words.open : undefined}
      danger
      title={words.title}
      happens={
        fourEyes
          ? words.happens(reference)
          : shared.proposals.happens.liftHold(shortId(externalUserId), platform)
      }
      act={fourEyes ? words.act : words.alone}
      word={fourEyes ? undefined : words.word}
      onStart={() => setNote("")}
      run={() =>
        client.holds.lift.mutate({
          ...{ platformId, holdId },
          ...(note.trim() !== "" && { note: note.trim() }),
        })
      }
      result={({ proposal }) => <Proposed proposal={proposal} proposed={words.proposed} done={words.done} />}
    >
      <NoteField value={note} onChange={setNote} />
    </Act>
  );
}
