import { Link } from "@tanstack/react-router";
import type { Me, Proposal } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { cx } from "../ui/class.ts";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import { aboutOf, markOf, proposerOf } from "./names.ts";

const { proposals: say } = words;
const columns =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 lg:grid-cols-[116px_minmax(0,1.2fr)_180px_minmax(0,1fr)_minmax(0,1fr)_100px]";

interface Props {
  proposals: readonly Proposal[];
  me: Me | undefined;
  /** Whether they are decided: the time is then that of the decision. */
  decided: boolean;
}

/** Proposals, newest first: one line on a wide screen, three on a phone. */
export function ProposalList({ proposals, me, decided }: Props) {
  const { columns: names } = say;
  return (
    <>
      <div
        aria-hidden="true"
        className={cx(columns, "h-8 items-center px-4 text-12 text-muted max-lg:hidden")}
      >
        <span />
        <span>{names.what}</span>
        <span>{names.about}</span>
        <span>{names.platform}</span>
        <span>{names.by}</span>
        <span className="text-right">{decided ? names.decided : names.expires}</span>
      </div>
      <ul aria-label={say.list}>
        {proposals.map((proposal) => (
          <Row key={proposal.proposalId} proposal={proposal} me={me} />
        ))}
      </ul>
    </>
  );
}

function Row({ proposal, me }: { proposal: Proposal; me: Me | undefined }) {
  const { proposalId, kind, platformName, expiresAt, state, decidedAt } = proposal;
  const ends = state === "open" || state === "expired" ? expiresAt : decidedAt;
  const id = aboutOf(proposal);
  const by = proposerOf(proposal, me);
  return (
    <li
      className={cx(
        columns,
        "relative items-center gap-y-0.5 border-t border-line px-4 py-2 hover:bg-sunken max-lg:first:border-t-0 lg:min-h-9 lg:py-1",
      )}
    >
      <span className="max-lg:order-2 max-lg:justify-self-end">
        <StateMark {...markOf(proposal)} />
      </span>
      <Link
        to="/proposals/$proposalId"
        params={{ proposalId }}
        className="truncate rounded font-medium text-accent after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent max-lg:order-1"
      >
        {say.kindOf[kind]}
      </Link>
      <span title={id} className="mono max-lg:order-3">
        {shortId(id)}
      </span>
      <span title={platformName} className="truncate text-muted max-lg:order-5 max-lg:text-13">
        {platformName}
      </span>
      <span title={by} className="truncate text-muted max-lg:order-4 max-lg:justify-self-end max-lg:text-13">
        <span className="lg:hidden">{say.by(by)}</span>
        <span className="max-lg:hidden">{by}</span>
      </span>
      <span className="justify-self-end text-muted max-lg:order-6 max-lg:text-13">
        {ends === null ? words.none : <Time at={ends} />}
      </span>
    </li>
  );
}
