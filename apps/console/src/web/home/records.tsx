import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { api, background } from "../api/client.ts";
import type { RecordRow } from "../api/shapes.ts";
import { ageWords } from "../lib/age.ts";
import { shortId } from "../lib/ids.ts";
import { number } from "../lib/numbers.ts";
import { useNow } from "../lib/use-now.ts";
import { stateOf, whyOf } from "../lib/why.ts";
import { type Line, Lines } from "./lines.tsx";

const words = {
  queue: "Queue",
  allAttention: (attention: string, open: string) => `${attention} need attention, ${open} open`,
  none: "Nothing needs attention",
  noneText: "Records come here when the provider needs help, or does not answer in time.",
  mine: "Assigned to me",
  allMine: (n: string) => `${n} open`,
  noneMine: "Nothing is assigned to you",
  noneMineText: "Take a record in the queue with “a”, or let a colleague hand one over.",
} as const;

const shown = { limit: 5, order: "oldest" } as const;
const minute = { refetchInterval: 60_000 };

/** The first records that need attention, oldest first. */
export function QueueLines({ counts }: { counts: { needsAttention: number; open: number } | undefined }) {
  const query = useQuery({
    ...api.records.search.queryOptions({ needsAttention: true, ...shown }, background),
    ...minute,
  });
  return (
    <Lines
      title={words.queue}
      all={
        counts && (
          <All link={{ to: "/queue", search: {} }}>
            {words.allAttention(number(counts.needsAttention), number(counts.open))}
          </All>
        )
      }
      query={query}
      lines={useLines(query.data?.records)}
      nothing={{ title: words.none, text: words.noneText }}
    />
  );
}

/** The records of the person and of the person's roles, oldest first. */
export function MyLines({ count }: { count: number | undefined }) {
  const query = useQuery({
    ...api.records.search.queryOptions({ assignee: "me", open: true, ...shown }, background),
    ...minute,
  });
  return (
    <Lines
      title={words.mine}
      all={
        count !== undefined && (
          <All link={{ to: "/queue", search: { tab: "open", assignee: "me" } }}>
            {words.allMine(number(count))}
          </All>
        )
      }
      query={query}
      lines={useLines(query.data?.records)}
      nothing={{ title: words.noneMine, text: words.noneMineText }}
    />
  );
}

const All = ({ link, children }: { link: LinkProps; children: string }) => (
  <Link {...link} className="rounded text-accent hover:underline">
    {children}
  </Link>
);

function useLines(records: readonly RecordRow[] | undefined): Line[] | undefined {
  const now = useNow();
  return records?.map((row) => ({
    key: row.kycRecordId,
    link: { to: "/records/$kycRecordId", params: { kycRecordId: row.kycRecordId } },
    meaning: stateOf(row).meaning,
    name: <span className="mono">{shortId(row.kycRecordId)}</span>,
    text: `${whyOf(row)} · ${row.platformName}`,
    age: ageWords(now - Date.parse(row.createdAt)),
  }));
}
