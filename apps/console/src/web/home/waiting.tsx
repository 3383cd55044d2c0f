import type { RouterOutputs } from "@cardbridge/trpc-client";
import { shortId } from "../lib/ids.ts";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { aboutOf, linkOf, subjectOf } from "../proposals/names.ts";
import { words as proposals } from "../proposals/words.ts";
import { Time } from "../ui/time.tsx";
import { countWord, nameOf, stateOfEndpoint } from "../webhooks/describe.ts";
import { Lines } from "./lines.tsx";

const words = {
  proposals: "Waiting for me",
  allProposals: (n: number) => (n === 1 ? "1 proposal" : `${number(n)} proposals`),
  endpoints: "Failing webhook endpoints",
  allEndpoints: "All endpoints",
  pending: (n: string) => `${n} waiting`,
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
      all={{
        text: words.allProposals(query.data?.waitingForMe ?? 0),
        link: { to: "/proposals", search: {} },
      }}
      query={query}
      lines={found.map((proposal) => ({
        key: proposal.proposalId,
        link: linkOf(proposal),
        meaning: "attention",
        name: <span className="mono">{shortId(aboutOf(proposal))}</span>,
        parts: [proposals.kindOf[proposal.kind], subjectOf(proposal)],
        age: <Time at={proposal.expiresAt} />,
      }))}
      nothing={nothing}
    />
  );
}

/** The endpoints that do not receive, the longest failing first; nothing without one. */
export function EndpointLines({ query }: { query: Query<RouterOutputs["webhooks"]["endpointHealth"]> }) {
  const mayOpen = useMe().may("ops.webhooks");
  const now = useNow();
  const found = query.data?.endpoints ?? [];
  if (found.length === 0) return null;
  return (
    <div id="endpoints" className="min-w-0 scroll-mt-20">
      <Lines
        title={words.endpoints}
        all={mayOpen ? { text: words.allEndpoints, link: { to: "/webhooks", search: {} } } : undefined}
        query={query}
        lines={found.slice(0, 5).map((endpoint) => {
          const { platformId, platformName, endpointId } = endpoint;
          const { meaning, word, more } = stateOfEndpoint(endpoint, now);
          const params = { platformId, endpointId };
          return {
            key: `${platformId}${endpointId}`,
            link: mayOpen ? { to: "/webhooks/$platformId/$endpointId", params, search: {} } : undefined,
            meaning,
            name: nameOf(endpoint),
            parts: [platformName, word, more],
            age: words.pending(countWord(endpoint.pending)),
          };
        })}
        nothing={nothing}
      />
    </div>
  );
}
