import type { RouterOutputs } from "@cardbridge/trpc-client";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { Id } from "../ui/id.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  endpoints: "Failing webhook endpoints",
  noFailing: "No endpoint fails",
  noFailingText: "Endpoints come here when deliveries to them fail or are late.",
  columns: {
    endpoint: "Endpoint",
    platform: "Platform",
    since: "Failing",
    pending: "Waiting",
    failed: "Failed, 24 h",
  },
  disabled: "disabled",
} as const;

type Health = RouterOutputs["webhooks"]["endpointHealth"];
type Failing = Health["endpoints"][number];

interface Props {
  health: { data: Health | undefined; error: unknown; refetch(): unknown };
}

/** The endpoints that do not receive, the longest failing first. */
export function Endpoints({ health: { data, error, refetch } }: Props) {
  const { may } = useMe();
  const columns: Column<Failing>[] = [
    {
      name: words.columns.endpoint,
      cell: ({ platformId, endpointId }) => (
        <Id
          id={endpointId}
          {...(may("ops.webhooks") && {
            to: { to: "/webhooks/endpoints", search: { platform: platformId } },
          })}
        />
      ),
    },
    { name: words.columns.platform, wide: true, cell: ({ platformName }) => platformName },
    {
      name: words.columns.since,
      cell: ({ enabled, failingSince }) =>
        enabled ? failingSince ? <Time at={failingSince} /> : shared.none : words.disabled,
    },
    { name: words.columns.pending, right: true, cell: ({ pending }) => number(pending) },
    { name: words.columns.failed, right: true, cell: ({ failed }) => number(failed) },
  ];
  return (
    <div id="endpoints" className="min-w-0 scroll-mt-20">
      <Section title={words.endpoints}>
        <ListState
          query={{ error: data ? undefined : error, refetch }}
          empty={data?.endpoints.length === 0}
          nothing={{ title: words.noFailing, text: words.noFailingText }}
        >
          <Table
            label={words.endpoints}
            room="compact"
            columns={columns}
            rows={data?.endpoints}
            keyOf={({ platformId, endpointId }) => `${platformId}${endpointId}`}
          />
        </ListState>
      </Section>
    </div>
  );
}
