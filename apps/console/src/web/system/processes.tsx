import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQuery } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";

const { system: say } = words;
const { processColumns: names } = say;
type Process = RouterOutputs["processes"]["list"]["processes"][number];

const columns: Column<Process>[] = [
  {
    name: names.state,
    cell: ({ live }) => <StateMark meaning={live ? "good" : "attention"} word={live ? say.live : say.gone} />,
  },
  { name: names.role, cell: ({ role }) => say.roleOf[role] },
  {
    name: names.version,
    cell: ({ version, commit }) => (
      <span className="mono" title={commit ?? undefined}>
        {version}
        {commit !== null && <span className="text-muted"> {commit.slice(0, 8)}</span>}
      </span>
    ),
  },
  { name: names.host, wide: true, cell: ({ host }) => <span title={host}>{host}</span> },
  { name: names.started, right: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
  { name: names.seen, right: true, cell: ({ seenAt }) => <Time at={seenAt} /> },
];

/** The processes of the service, with their versions. */
export function Processes() {
  const processes = useQuery({
    ...api.processes.list.queryOptions({}, background),
    refetchInterval: 30_000,
  });
  const live = processes.data?.processes.filter((one) => one.live) ?? [];
  const versions = new Set(live.map(({ version, commit }) => `${version} ${commit}`)).size;
  return (
    <Section
      title={say.processes}
      aside={versions > 1 && <span className="text-13 text-attention">{say.versions(versions)}</span>}
    >
      <ListState
        query={processes}
        empty={processes.data?.processes.length === 0}
        nothing={{ title: say.noProcesses, text: say.noProcessesText }}
      >
        <Table
          label={say.processes}
          columns={columns}
          rows={processes.data?.processes}
          keyOf={({ processId }) => processId}
        />
      </ListState>
    </Section>
  );
}
