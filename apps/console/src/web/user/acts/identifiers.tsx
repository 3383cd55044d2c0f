import { useState } from "react";
import { client } from "../../api/client.ts";
import type { Purpose } from "../../api/shapes.ts";
import { shortId } from "../../lib/ids.ts";
import { shared } from "../../lib/words.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Copy } from "../../ui/copy.tsx";
import { PurposeChoice } from "../../ui/purpose.tsx";
import { type ActProps, ActRow } from "./act-row.tsx";
import { useAct } from "./use-act.ts";

const words = {
  identifiers: "Identifiers",
  identifiersText: "Reveal the e-mail and the member id.",
  reveal: "Reveal…",
  revealTitle: "Reveal the identifiers?",
  revealText: (id: string) => `You see the e-mail and the member id of ${id} until you leave the page.`,
  revealAct: "Reveal",
  revealing: "Reading…",
  hide: "Hide",
  email: "E-mail",
  memberId: "Member id",
  gone: "none",
} as const;

/** Reveals the e-mail and the member id, for a purpose, until the view is left. */
export function Identifiers({ user: { platformId, externalUserId } }: ActProps) {
  const [purpose, setPurpose] = useState<Purpose>();
  const reveal = useAct(
    (given: Purpose) => client.users.identifiers.mutate({ platformId, externalUserId, purpose: given }),
    { reads: true },
  );
  const { data } = reveal;
  const start = () => {
    setPurpose(undefined);
    reveal.start();
  };
  return (
    <ActRow
      name={words.identifiers}
      text={words.identifiersText}
      button={
        data ? (
          <Button onClick={reveal.reset}>{words.hide}</Button>
        ) : (
          <Button onClick={start}>{words.reveal}</Button>
        )
      }
    >
      {data && (
        <dl className="rounded border border-attention-line bg-attention-tint px-3 py-1">
          <Identifier name={words.email} value={data.email} />
          <Identifier name={words.memberId} value={data.memberId} />
        </dl>
      )}
      <ActDialog
        reads
        {...reveal.dialog}
        title={words.revealTitle}
        happens={words.revealText(shortId(externalUserId))}
        act={words.revealAct}
        running={words.revealing}
        ready={purpose !== undefined}
        onAct={() => purpose && reveal.run(purpose)}
      >
        <PurposeChoice value={purpose} onChange={setPurpose} />
      </ActDialog>
    </ActRow>
  );
}

function Identifier({ name, value }: { name: string; value: string | null }) {
  return (
    <div className="grid min-h-8 grid-cols-[96px_minmax(0,1fr)_auto] items-center gap-x-2">
      <dt className="text-13 text-muted">{name}</dt>
      <dd className="break-all">{value ?? <span className="text-muted">{words.gone}</span>}</dd>
      <dd>{value !== null && <Copy value={value} label={shared.evidence.copy(name)} />}</dd>
    </div>
  );
}
