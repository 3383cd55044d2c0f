import { useState } from "react";
import { client } from "../../api/client.ts";
import type { Purpose } from "../../api/shapes.ts";
import { shortId } from "../../lib/ids.ts";
import { shared } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Copy } from "../../ui/copy.tsx";
import { PurposeChoice } from "../../ui/purpose.tsx";
import { Act, type ActProps } from "./act.tsx";

const words = {
  name: "Identifiers",
  text: "Reveal the e-mail and the member id.",
  open: "Reveal…",
  title: "Reveal the identifiers?",
  happens: (id: string) => `You see the e-mail and the member id of ${id} until you leave the page.`,
  act: "Reveal",
  running: "Reading…",
  hide: "Hide",
  email: "E-mail",
  memberId: "Member id",
  gone: "none",
} as const;

/** Reveals the e-mail and the member id, for a purpose, until the view is left. */
export function Identifiers({ user: { platformId, externalUserId } }: ActProps) {
  const [purpose, setPurpose] = useState<Purpose>();
  return (
    <Act
      {...words}
      reads
      happens={words.happens(shortId(externalUserId))}
      onStart={() => setPurpose(undefined)}
      run={purpose && (() => client.users.identifiers.mutate({ platformId, externalUserId, purpose }))}
      result={({ email, memberId }, hide) => (
        <div className="rounded border border-attention-line bg-attention-tint px-3 py-1">
          <dl>
            <Identifier name={words.email} value={email} />
            <Identifier name={words.memberId} value={memberId} />
          </dl>
          <Button onClick={hide}>{words.hide}</Button>
        </div>
      )}
    >
      <PurposeChoice value={purpose} onChange={setPurpose} />
    </Act>
  );
}

const Identifier = ({ name, value }: { name: string; value: string | null }) => (
  <div className="grid min-h-8 grid-cols-[96px_minmax(0,1fr)_auto] items-center gap-x-2">
    <dt className="text-13 text-muted">{name}</dt>
    <dd className="break-all">{value ?? <span className="text-muted">{words.gone}</span>}</dd>
    <dd>{value !== null && <Copy value={value} label={shared.evidence.copy(name)} />}</dd>
  </div>
);
