import type { RouterOutputs } from "@cardbridge/trpc-client";
import { Actor } from "../audit/actor.tsx";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Id } from "../ui/id.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "./words.ts";

const meanings = { live: "good", expired: "plain", revoked: "bad" } as const;

export type ApiKey = RouterOutputs["keys"]["list"]["keys"][number];

interface Props {
  keys: readonly ApiKey[] | undefined;
  onAct(act: "rotate" | "revoke", key: ApiKey): void;
}

/** The keys without their secrets. */
export function KeysTable({ keys, onAct }: Props) {
  const { platformName } = useMe();
  const columns: Column<ApiKey>[] = [
    {
      name: shared.apiKeys.columns.name,
      wide: true,
      cell: ({ name, keyId, scopes }) => (
        <span title={name}>
          <span className="font-medium">{name}</span>{" "}
          <span className="text-13 text-muted" title={scopes.map((scope) => words.scopeOf[scope]).join(", ")}>
            {words.details(scopes.length)}
          </span>
          <span className="sr-only"> {keyId}</span>
        </span>
      ),
    },
    {
      name: shared.apiKeys.columns.platform,
      cell: ({ platformId }) => (
        <span className="block max-w-48 truncate" title={nameOf(platformId, platformName)}>
          {nameOf(platformId, platformName)}
        </span>
      ),
    },
    { name: shared.apiKeys.columns.prefix, cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
    {
      name: shared.apiKeys.columns.state,
      cell: ({ state }) => <StateMark meaning={meanings[state]} word={words.stateOf[state]} />,
    },
    { name: shared.apiKeys.columns.maker, cell: ({ createdBy }) => <Maker actor={createdBy} /> },
    { name: shared.apiKeys.columns.expires, right: true, cell: ({ expiresAt }) => <At at={expiresAt} /> },
    { name: shared.apiKeys.columns.used, right: true, cell: ({ lastUsedAt }) => <At at={lastUsedAt} /> },
    { name: shared.platforms.columns.id, quiet: true, cell: ({ keyId }) => <Id id={keyId} /> },
    {
      name: shared.apiKeys.columns.acts,
      quiet: true,
      cell: (key) =>
        key.state === "live" && (
          <span className="flex -ml-3 as-table:justify-end as-table:ml-0">
            <Button kind="quiet" onClick={() => onAct("rotate", key)}>
              {words.rotate}
            </Button>
            <Button kind="quiet" className="text-bad" onClick={() => onAct("revoke", key)}>
              {words.revokeOpen}
            </Button>
          </span>
        ),
    },
  ];
  return <Table label={words.title} columns={columns} rows={keys} keyOf={({ keyId }) => keyId} room="wide" />;
}

const At = ({ at }: { at: string | null }) =>
  at === null ? <span className="text-muted">{shared.apiKeys.never}</span> : <Time at={at} />;

/** Who made a key: the person or the key before a slash, or the command line. */
function Maker({ actor }: { actor: string | null }) {
  if (actor === null) return <span className="text-muted">{words.unknownMaker}</span>;
  const [first = "", key] = actor.split("/");
  const entry =
    key === undefined ? { actor, person: null, by: null } : { actor: key, person: first, by: null };
  return <Actor entry={entry} search={{}} />;
}

/** A platform's name; the keys of internal apps belong to none. */
export const nameOf = (platformId: string, platformName: (id: string) => string): string =>
  platformId === "internal" ? shared.platforms.internal : platformName(platformId);
