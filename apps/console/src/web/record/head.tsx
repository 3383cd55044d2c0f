import { useState } from "react";
import type { ShownRecord } from "../api/shapes.ts";
import { useMe } from "../lib/use-me.ts";
import { stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { cx } from "../ui/class.ts";
import { Copy } from "../ui/copy.tsx";
import { Icon } from "../ui/icon.tsx";
import { Id } from "../ui/id.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { Actions } from "./actions.tsx";
import { Assignment, HandOver, useAssign } from "./assignment.tsx";

const words = {
  submitted: "submitted",
  tell: "Tell the person",
  tellText: "Words for the person",
  tellStale: "The record changed. Show the new state before you repeat this.",
  who: { and: " or ", act: (roles: string) => `${roles} does this.` },
  decides: (roles: string) => `${roles} enters the decision.`,
} as const;

interface Props {
  record: ShownRecord;
  /** Whether the record has another state now. */
  isStale: boolean;
  reload(): Promise<void>;
  /** Whether the one next step is already below or with another person, and not among the head's buttons. */
  isElsewhere: boolean;
  /** Begins to enter the provider's decision; undefined for whoever cannot. */
  onDecide: (() => void) | undefined;
}

/** What to do, with the buttons for it; who has the record, and what to tell the person. */
export function Head({ record, isStale, reload, ...step }: Props) {
  const { platformId, externalUserId, next } = record;
  const { me, platformName } = useMe();
  const assign = useAssign(record, reload);
  const [isHandingOver, setHandingOver] = useState(false);
  const isForOthers =
    me !== undefined && next.roles.length > 0 && !next.roles.some((role) => me.roles.includes(role));
  const platform = platformName(platformId);
  return (
    <header className="rounded border border-line bg-surface">
      <div className="px-4 pt-4 md:px-5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
          <StateMark {...stateOf(record)} />
          <Id id={record.kycRecordId} />
          <span className="truncate">{platform}</span>
          <Id
            id={externalUserId}
            to={{ to: "/users/$platformId/$externalUserId", params: { platformId, externalUserId } }}
          />
          <span>
            {words.submitted} <Time at={record.createdAt} />
          </span>
        </div>
        <h1 className="mt-3 max-w-[72ch] text-20 font-semibold tracking-tight text-pretty">
          {next.operator}
        </h1>
        {isForOthers && <p className="mt-1 text-16 text-muted first-letter:uppercase">{whoCan(next)}</p>}
      </div>
      <div className="grid gap-x-8 gap-y-4 px-4 pt-4 pb-4 md:px-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Actions
          {...{ record, platform, reload, isForOthers, ...step }}
          onHandOver={() => {
            assign.reset();
            setHandingOver(true);
          }}
        />
        <Assignment record={record} assign={assign} />
      </div>
      {next.person && <Tell text={next.person} isStale={isStale} />}
      <HandOver record={record} assign={assign} open={isHandingOver} onClose={() => setHandingOver(false)} />
    </header>
  );
}

/** Who can do what the sentence asks for. */
function whoCan({ action, roles }: ShownRecord["next"]): string {
  const names = roles.map((role) => shared.person.role[role]).join(words.who.and);
  return action === "resolve" ? words.decides(names) : words.who.act(names);
}

interface TellProps {
  text: string;
  /** Whether the record has another state now, so that the words may be wrong. */
  isStale: boolean;
}

/** Words that a support agent can repeat to the person. */
function Tell({ text, isStale }: TellProps) {
  return (
    <div className="flex flex-col gap-x-4 gap-y-1 border-t border-line bg-sunken px-4 py-3 sm:flex-row sm:items-baseline md:px-5">
      <p className="shrink-0 text-13 font-medium text-muted">{words.tell}</p>
      <div className="max-w-[72ch]">
        <p className={cx("text-14", isStale && "text-muted")}>“{text}”</p>
        <p
          aria-live="polite"
          className="flex items-start gap-1.5 text-13 font-medium text-attention empty:hidden"
        >
          {isStale && (
            <>
              <Icon name="warning" className="mt-0.5" />
              {words.tellStale}
            </>
          )}
        </p>
      </div>
      <Copy
        value={text}
        label={words.tellText}
        text={shared.copy.text}
        disabled={isStale}
        className="-ml-2 self-start sm:-mr-2 sm:ml-auto sm:self-baseline"
      />
    </div>
  );
}
