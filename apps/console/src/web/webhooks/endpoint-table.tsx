import { Link } from "@tanstack/react-router";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { type EndpointHealth, nameOf, stateOfEndpoint, undelivered } from "./describe.ts";
import { words } from "./words.ts";

const { columns: names } = words;

interface Props {
  endpoints: readonly EndpointHealth[] | undefined;
  /** Whether each is shown with its platform. */
  withPlatform?: boolean;
}

/** Endpoints: their names, whether they receive, and what waits for them. */
export function EndpointTable({ endpoints, withPlatform = true }: Props) {
  const { may } = useMe();
  const columns: Column<EndpointHealth>[] = [
    {
      name: names.endpoint,
      wide: true,
      cell: (endpoint) => (
        <>
          <EndpointName endpoint={endpoint} linked={may("ops.webhooks")} />
          {withPlatform && <span className="text-muted"> · {endpoint.platformName}</span>}
        </>
      ),
    },
    { name: names.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { name: names.undelivered, cell: (endpoint) => undelivered(endpoint) || words.none },
  ];
  return (
    <Table
      label={words.title}
      columns={columns}
      rows={endpoints}
      keyOf={({ platformId, endpointId }) => `${platformId}${endpointId}`}
    />
  );
}

function EndpointName({ endpoint, linked }: { endpoint: EndpointHealth; linked: boolean }) {
  const { platformId, endpointId, url } = endpoint;
  const name = <span title={url ?? endpointId}>{nameOf(endpoint)}</span>;
  if (!linked) return name;
  return (
    <Link
      to="/webhooks/$platformId/$endpointId"
      params={{ platformId, endpointId }}
      search={{}}
      className="rounded font-medium text-accent hover:underline"
    >
      {name}
    </Link>
  );
}

/** Whether an endpoint receives, in a mark and a few words. */
export function EndpointState({ endpoint }: { endpoint: EndpointHealth }) {
  const { meaning, word, more } = stateOfEndpoint(endpoint, useNow());
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 py-1 as-table:flex-nowrap as-table:py-0">
      <StateMark meaning={meaning} word={word} />
      {more && <span className="text-13 text-muted tabular-nums">{more}</span>}
    </span>
  );
}
