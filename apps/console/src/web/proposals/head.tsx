import type { ProposalDetails } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import { Decide } from "./decide.tsx";
import { aboutOf, markOf, subjectOf } from "./names.ts";

const { proposals: say } = words;

/** Who proposes what, what would happen, and the decision. */
export function ProposalHead({ proposal }: { proposal: ProposalDetails }) {
  const { kind, platformName, state, expiresAt } = proposal;
  return (
    <header className="rounded border border-line bg-surface px-4 py-4 md:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <StateMark {...markOf(proposal)} />
        <span className="truncate">{platformName}</span>
        {state === "open" && (
          <span>
            {say.facts.expiresAt.toLowerCase()} <Time at={expiresAt} />
          </span>
        )}
      </div>
      <h1 className="mt-3 max-w-[72ch] text-20 font-semibold tracking-tight text-pretty">
        {say[state === "open" ? "asks" : "asked"][kind](subjectOf(proposal))}
      </h1>
      {state === "open" && (
        <p className="mt-1 max-w-[72ch] text-muted">
          {say.happens[kind](shortId(aboutOf(proposal)), platformName)}
        </p>
      )}
      <Decide proposal={proposal} />
    </header>
  );
}
