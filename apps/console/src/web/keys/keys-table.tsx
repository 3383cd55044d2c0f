import type { RouterOutputs } from "@cardbridge/trpc-client";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { words as keysWords } from "./words.ts";

const words = {
  columns: {
    prefix: "Begins with",
    state: "State",
    maker: "Made by",
    used: "Last used",
    expires: "Expires",
    successor: "Successor",
    acts: "Actions",
  },
  scopes: (n: number) => (n === 1 ? "1 scope" : `${n} scopes`),
  stateOf: { live: "live", expired: "expired", revoked: "revoked" },
  commandLine: "command line",
  successorUsed: "used",
  successorUnused: "not used yet",
  rotate: "Rotate",
  revoke: "Revoke…",
} as const;

const { columns: names } = words;
const meanings = { live: "good", expired: "plain", revoked: "bad" } as const;

export type ApiKey = RouterOutputs["keys"]["list"]["keys"][number];

/** A live key's successor: at most two live keys of a platform share a name. */
const successorOf = (key: ApiKey, keys: readonly ApiKey[]): ApiKey | undefined =>
  keys.find(
    ({ state, name, createdAt }) =>
      key.state !== "revoked" && state === "live" && name === key.name && createdAt > key.createdAt,
  );

interface Props {
  keys: readonly ApiKey[] | undefined;
  onAct(act: "rotate" | "revoke", key: ApiKey): void;
}

/** The keys of one owner without their secrets, those that work first. */
export function KeysTable({ keys, onAct }: Props) {
  const columns: Column<ApiKey>[] = [
    {
      name: keysWords.name,
      wide: true,
      cell: ({ name, scopes }) => (
        <span title={scopes.map((scope) => keysWords.scopeOf[scope]).join(", ")}>
          <span className="font-medium">{name}</span>{" "}
          <span className="text-13 text-muted">{words.scopes(scopes.length)}</span>
        </span>
      ),
    },
    { name: names.prefix, cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
    {
      name: names.state,
      cell: ({ state }) => <StateMark meaning={meanings[state]} word={words.stateOf[state]} />,
    },
    { name: names.maker, cell: (key) => <Maker apiKey={key} /> },
    { name: names.used, right: true, cell: ({ lastUsedAt }) => <At at={lastUsedAt} /> },
    { name: names.expires, right: true, cell: ({ expiresAt }) => <At at={expiresAt} /> },
    { name: names.successor, cell: (key) => <Successor apiKey={successorOf(key, keys ?? [])} /> },
    {
      name: names.acts,
      quiet: true,
      cell: (key) =>
        key.state === "live" && (
          <span className="flex -ml-3 as-table:justify-end as-table:ml-0">
            <Button kind="quiet" onClick={() => onAct("rotate", key)}>
              {words.rotate}
            </Button>
            <Button kind="quiet" className="text-bad" onClick={() => onAct("revoke", key)}>
              {words.revoke}
            </Button>
          </span>
        ),
    },
  ];
  const rows = keys?.toSorted((a, b) => Number(b.state === "live") - Number(a.state === "live"));
  return (
    <Table label={keysWords.title} columns={columns} rows={rows} keyOf={({ keyId }) => keyId} room="wide" />
  );
}

const At = ({ at }: { at: string | null }) =>
  at === null ? <span className="text-muted">{keysWords.never}</span> : <Time at={at} />;

/** Which key replaces this one, and whether it is in use: then the old one can be revoked. */
function Successor({ apiKey }: { apiKey: ApiKey | undefined }) {
  if (!apiKey) return <span className="text-muted">{shared.none}</span>;
  return (
    <>
      <span className="mono">{apiKey.prefix}…</span>{" "}
      <span className="text-13 text-muted">
        {apiKey.lastUsedAt === null ? (
          words.successorUnused
        ) : (
          <>
            {words.successorUsed} <Time at={apiKey.lastUsedAt} />
          </>
        )}
      </span>
    </>
  );
}

/** Who made a key: a person, or an operator at the command line. */
function Maker({ apiKey: { maker, createdBy } }: { apiKey: ApiKey }) {
  if (maker) return <>{maker.name ?? shared.person.unnamed}</>;
  return <span className="text-muted">{createdBy === null ? shared.none : words.commandLine}</span>;
}
