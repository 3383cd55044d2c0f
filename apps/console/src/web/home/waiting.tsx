import type { RouterOutputs } from "@cardbridge/trpc-client";
import { Link } from "@tanstack/react-router";
import { shortId } from "../lib/ids.ts";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { aboutOf, linkOf, subjectOf } from "../proposals/names.ts";
import { words as proposals } from "../proposals/words.ts";
import { Time } from "../ui/time.tsx";
import { nameOf } from "../webhooks/describe.ts";
import { Lines } from "./lines.tsx";

const words = {
  proposals: "Waiting for me",
  allProposals: (n: string) => `${n} proposals`,
  endpoints: "Failing webhook endpoints",
  allEndpoints: "All endpoints",
  disabled: "disabled",
  waiting: (platform: string, pending: string, failed: string) =>
    `${platform} · ${pending} waiting, ${failed} failed in 24 h`,
} as const;

const nothing = { title: "", text: "" };
interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  refetch(): unknown;
}

/** The proposals that the person can confirm; nothing without one. */
export function ProposalLines({ query }: { query: Query<RouterOutputs["proposals"]["list"]> }) {
  const found = query.data?.proposals ?? [];
  if (found.length === 0) return null;
  return (
    <Lines
      title={words.proposals}
      all={
        <Link to="/proposals" search={{}} className="rounded text-accent hover:underline">
          {words.allProposals(number(query.data?.waitingForMe ?? 0))}
        </Link>
      }
      query={query}
      lines={found.map((proposal) => ({
        key: proposal.proposalId,
        link: linkOf(proposal),
        meaning: "attention",
        name: <span className="mono">{shortId(aboutOf(proposal))}</span>,
        text: `${proposals.kindOf[proposal.kind]} · ${subjectOf(proposal)}`,
        age: <Time at={proposal.expiresAt} />,
      }))}
      nothing={nothing}
    />
  );
}

/** The endpoints that do not receive, the longest failing first; nothing without one. */
export function EndpointLines({ query }: { query: Query<RouterOutputs["webhooks"]["endpointHealth"]> }) {
  const { may } = useMe();
  const found = query.data?.endpoints ?? [];
  if (found.length === 0) return null;
  return (
    <div id="endpoints" className="min-w-0 scroll-mt-20">
      <Lines
        title={words.endpoints}
        all={
          may("ops.webhooks") && (
            <Link to="/webhooks" search={{}} className="rounded text-accent hover:underline">
              {words.allEndpoints}
            </Link>
          )
        }
        query={query}
        lines={found.slice(0, 5).map(({ platformId, platformName, endpointId, ...health }) => ({
          key: `${platformId}${endpointId}`,
          link: { to: "/webhooks/$platformId/$endpointId", params: { platformId, endpointId }, search: {} },
          meaning: "attention",
          name: nameOf(health),
          text: words.waiting(platformName, number(health.pending), number(health.failed)),
          age: health.failingSince ? <Time at={health.failingSince} /> : words.disabled,
        }))}
        nothing={nothing}
      />
    </div>
  );
}
