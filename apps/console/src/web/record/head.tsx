import type { Me, ShownRecord } from "../api/shapes.ts";
import { useMe } from "../lib/use-me.ts";
import { stateOf } from "../lib/why.ts";
import { Id } from "../ui/id.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { Actions } from "./actions.tsx";
import { Assignment } from "./assignment.tsx";
import { decidersOf } from "./decided-by.ts";
import { Deciders } from "./deciders.tsx";
import { Tell } from "./tell.tsx";

const words = {
  submitted: "submitted",
} as const;

interface Props {
  record: ShownRecord;
  me: Me | undefined;
  /** Whether the record has another state now. */
  isStale: boolean;
  reload(): Promise<void>;
  /** Whether the one next step is among the head's buttons, or already below or with another person. */
  next: "here" | "elsewhere";
  /** Begins to enter the provider's decision. */
  onDecide(): void;
}

/** Who and what, and before everything else what to do. */
export function Head({ record, me, isStale, reload, ...step }: Props) {
  const state = stateOf(record);
  const { platformId, externalUserId, next } = record;
  // A record has at most one manual decision.
  const decision = next.manual ? record.history.find(({ source }) => source === "person") : undefined;
  const platform = useMe().platformName(platformId);
  return (
    <header className="rounded border border-line bg-surface">
      <div className="px-4 pt-4 md:px-5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
          <StateMark {...state} />
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
        {decision && (
          <p className="mt-1 text-muted">
            <Deciders deciders={decidersOf(decision, record.persons)} />
          </p>
        )}
      </div>
      <div className="grid gap-x-8 gap-y-4 px-4 pt-4 pb-4 md:px-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Actions record={record} platform={platform} reload={reload} {...step} />
        <Assignment record={record} me={me} reload={reload} />
      </div>
      {next.person && <Tell text={next.person} isStale={isStale} />}
    </header>
  );
}
