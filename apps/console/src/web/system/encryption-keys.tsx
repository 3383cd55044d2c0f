import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { number } from "../lib/numbers.ts";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";

const words = {
  encryption: "Encryption keys",
  keyColumns: {
    version: "Version",
    state: "State",
    users: "Users",
    files: "Files",
    endpoints: "Endpoints",
    persons: "Persons",
  },
  keyState: {
    current: "encrypts new data",
    old: "decrypts only",
    removable: "can be removed",
    missing: "not in the ring",
  },
} as const;

const { keyColumns: names } = words;
type Version = RouterOutputs["encryptionKeys"]["status"]["versions"][number];

const columns: Column<Version>[] = [
  { name: names.version, wide: true, cell: ({ version }) => number(version) },
  { name: names.state, cell: (version) => <StateMark {...stateOf(version)} /> },
  { name: names.users, right: true, cell: ({ users }) => number(users) },
  { name: names.files, right: true, cell: ({ files }) => number(files) },
  { name: names.endpoints, right: true, cell: ({ webhookEndpoints }) => number(webhookEndpoints) },
  { name: names.persons, right: true, cell: ({ persons }) => number(persons) },
];

function stateOf({ inRing, current, removable }: Version) {
  if (!inRing) return { meaning: "bad", word: words.keyState.missing } as const;
  if (current) return { meaning: "good", word: words.keyState.current } as const;
  return removable
    ? ({ meaning: "waiting", word: words.keyState.removable } as const)
    : ({ meaning: "plain", word: words.keyState.old } as const);
}

/** The versions of the key ring, and how much each still encrypts. */
export function EncryptionKeys() {
  const status = useQuery(api.encryptionKeys.status.queryOptions({}));
  return (
    <Section title={words.encryption}>
      <ListState query={status} empty={false} nothing={{ title: "", text: "" }}>
        <Table
          label={words.encryption}
          room="compact"
          columns={columns}
          rows={status.data?.versions}
          keyOf={({ version }) => String(version)}
        />
      </ListState>
    </Section>
  );
}
