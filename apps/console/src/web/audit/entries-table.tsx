import type { AuditEntry } from "@cardbridge/trpc-client";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { Id } from "../ui/id.tsx";
import { Shape } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { Actor } from "./actor.tsx";
import { type AuditSearch, filterOfId } from "./filter.ts";
import { words } from "./words.ts";

const { columns: names } = words;

interface Props {
  entries: readonly AuditEntry[] | undefined;
  search: AuditSearch;
}

/** Audit entries. Whom or what an entry names is one click from all of its entries. */
export function EntriesTable({ entries, search }: Props) {
  const { platformName } = useMe();
  const withPurpose = entries?.some(({ purpose }) => purpose !== null) ?? false;
  const columns: Column<AuditEntry>[] = [
    { name: names.when, cell: ({ at }) => <Time at={at} /> },
    { name: names.who, cell: (entry) => <Actor entry={entry} search={search} /> },
    {
      name: names.operation,
      cell: ({ operation, count }) => (
        <>
          <span className="mono">{operation}</span>
          {count !== null && <span className="text-13 text-muted"> · {words.reads(count)}</span>}
        </>
      ),
    },
    { name: names.subject, cell: (entry) => <Subject entry={entry} search={search} /> },
    ...(withPurpose
      ? [
          {
            name: names.purpose,
            cell: ({ purpose }: AuditEntry) =>
              purpose === null ? (
                <span className="text-muted">{shared.none}</span>
              ) : (
                shared.purpose.short[purpose]
              ),
          },
        ]
      : []),
    { name: names.outcome, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
    {
      name: names.platform,
      wide: true,
      cell: ({ platformId }) => {
        const name = platformId === "internal" ? shared.platforms.internal : platformName(platformId);
        return <span title={name}>{name}</span>;
      },
    },
  ];
  return <Table label={words.list} columns={columns} rows={entries} keyOf={keyOf} room="wide" />;
}

const keyOf = ({ platformId, id }: AuditEntry): string => `${platformId}/${id}`;

function Outcome({ outcome }: { outcome: string }) {
  const good = outcome === "done" || outcome === "replayed";
  return (
    <span className="inline-flex items-center gap-2">
      <Shape meaning={good ? "good" : "bad"} />
      {good ? words.outcomeOf[outcome] : <span className="mono text-13">{outcome}</span>}
    </span>
  );
}

/** What an entry is about: a record or a user leads there, everything else to its entries. */
function Subject({ entry: { subject, platformId }, search }: { entry: AuditEntry; search: AuditSearch }) {
  if (subject === null) return <span className="text-muted">{shared.none}</span>;
  if (subject.startsWith("kyc_"))
    return <Id id={subject} to={{ to: "/records/$kycRecordId", params: { kycRecordId: subject } }} />;
  if (subject.startsWith("usr_")) {
    const params = { platformId, externalUserId: subject };
    return <Id id={subject} to={{ to: "/users/$platformId/$externalUserId", params }} />;
  }
  return <Id id={subject} to={{ to: "/audit", search: { ...search, ...filterOfId(subject) } }} />;
}
