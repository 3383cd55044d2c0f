import { Link } from "@tanstack/react-router";
import type { Me, Proposal } from "../api/shapes.ts";
import { Id } from "../ui/id.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import { markOf, proposerOf } from "./names.ts";

const { proposals: say } = words;
const { columns: names } = say;

interface Props {
  /** Undefined while they are read. */
  proposals: readonly Proposal[] | undefined;
  me: Me | undefined;
  /** Whether they are decided: the time is then that of the decision. */
  decided: boolean;
}

/** Proposals, newest first. */
export function ProposalsTable({ proposals, me, decided }: Props) {
  const columns: Column<Proposal>[] = [
    { name: names.state, cell: (proposal) => <StateMark {...markOf(proposal)} /> },
    {
      name: names.what,
      wide: true,
      cell: ({ proposalId, kind }) => (
        <Link
          to="/proposals/$proposalId"
          params={{ proposalId }}
          className="inline-flex min-h-6 items-center rounded font-medium text-accent hover:underline"
        >
          {say.kindOf[kind]}
        </Link>
      ),
    },
    { name: names.about, cell: (proposal) => <About {...proposal} /> },
    { name: names.platform, cell: ({ platformName }) => <Cut text={platformName} /> },
    { name: names.by, cell: (proposal) => <Cut text={proposerOf(proposal, me)} /> },
    {
      name: decided ? names.decided : names.expires,
      right: true,
      cell: ({ state, expiresAt, decidedAt }) => {
        const at = state === "open" || state === "expired" ? expiresAt : decidedAt;
        return at === null ? words.none : <Time at={at} />;
      },
    },
  ];
  return <Table label={say.list} columns={columns} rows={proposals} keyOf={({ proposalId }) => proposalId} />;
}

const About = ({ platformId, externalUserId, kycRecordId }: Proposal) =>
  kycRecordId === null ? (
    <Id
      id={externalUserId}
      to={{ to: "/users/$platformId/$externalUserId", params: { platformId, externalUserId } }}
    />
  ) : (
    <Id id={kycRecordId} to={{ to: "/records/$kycRecordId", params: { kycRecordId } }} />
  );

const Cut = ({ text }: { text: string }) => (
  <span title={text} className="block max-w-48 truncate text-muted">
    {text}
  </span>
);
