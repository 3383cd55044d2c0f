import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQuery } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  processes: "Processes",
  processColumns: {
    role: "Runs",
    version: "Version",
    host: "Machine",
    seen: "Last seen",
    state: "State",
  },
  roleOf: { all: "interface and worker", api: "interface", worker: "worker" },
  live: "runs",
  gone: "no heartbeat",
  noProcesses: "No processes",
  noProcessesText: "A process is listed with its first heartbeat.",
} as const;

const { processColumns: names } = words;
type Process = RouterOutputs["processes"]["list"]["processes"][number];

const columns: Column<Process>[] = [
  {
    name: names.state,
    cell: ({ live }) => (
      <StateMark meaning={live ? "good" : "attention"} word={live ? words.live : words.gone} />
    ),
  },
  { name: names.role, cell: ({ role }) => words.roleOf[role] },
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
  { name: names.seen, right: true, cell: ({ seenAt }) => <Time at={seenAt} /> },
];

/** The processes of the service, with their versions. */
export function Processes() {
  const processes = useQuery({
    ...api.processes.list.queryOptions({}, background),
    refetchInterval: 30_000,
  });
  return (
    <Section title={words.processes}>
      <ListState
        query={processes}
        empty={processes.data?.processes.length === 0}
        nothing={{ title: words.noProcesses, text: words.noProcessesText }}
      >
        <Table
          label={words.processes}
          columns={columns}
          rows={processes.data?.processes}
          keyOf={({ processId }) => processId}
        />
      </ListState>
    </Section>
  );
}
