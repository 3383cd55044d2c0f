import type { AuditEntry } from "@cardbridge/trpc-client";
import { actWords, outcomeWords } from "../lib/audited.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { Id } from "../ui/id.tsx";
import { Shape } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { Actor } from "./actor.tsx";
import type { AuditSearch } from "./filter.ts";
import { linkOf } from "./link.ts";
import { words } from "./words.ts";

const { columns: names } = words;

interface Props {
  entries: readonly AuditEntry[] | undefined;
  search: AuditSearch;
}

/** Audit entries: four facts, which are four lines where there is little room. */
export function EntriesTable({ entries, search }: Props) {
  const { may, platformName } = useMe();
  const columns: Column<AuditEntry>[] = [
    { name: names.when, cell: ({ at }) => <Time at={at} /> },
    { name: names.who, cell: (entry) => <Actor entry={entry} search={search} /> },
    { name: names.what, cell: (entry) => <Act entry={entry} /> },
    {
      name: names.subject,
      wide: true,
      cell: ({ subject, platformId }) => (
        <>
          {subject !== null && <Id id={subject} to={linkOf(subject, platformId, may)} />}
          {platformId !== "internal" && (
            <span className="whitespace-nowrap text-13 text-muted sm:ml-2">{platformName(platformId)}</span>
          )}
        </>
      ),
    },
  ];
  return <Table label={words.list} columns={columns} rows={entries} keyOf={keyOf} />;
}

const keyOf = ({ platformId, id }: AuditEntry): string => `${platformId}/${id}`;

/** What was done and why. Only what did not succeed says how it ended. */
function Act({ entry: { operation, subject, purpose, count, outcome } }: { entry: AuditEntry }) {
  const { text, good } = outcomeWords(outcome);
  return (
    <span title={operation}>
      {actWords(operation, subject)}
      {purpose !== null && <span className="text-muted"> {words.why(shared.purpose.short[purpose])}</span>}
      {count !== null && <span className="text-muted"> {words.reads(count)}</span>}
      {outcome !== "done" && (
        <span title={outcome} className={good ? "ml-2 text-muted" : "ml-2 whitespace-nowrap text-bad"}>
          {!good && <Shape meaning="bad" />} {text}
        </span>
      )}
    </span>
  );
}
