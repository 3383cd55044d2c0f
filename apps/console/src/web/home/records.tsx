import { useQuery } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";
import type { Counts } from "../api/shapes.ts";
import { ageWords } from "../lib/age.ts";
import { shortId } from "../lib/ids.ts";
import { number } from "../lib/numbers.ts";
import { useNow } from "../lib/use-now.ts";
import { stateOf, whyOf } from "../lib/why.ts";
import { Lines } from "./lines.tsx";

const words = {
  queue: {
    title: "Queue",
    all: ({ needsAttention, open }: Counts) =>
      `${number(needsAttention)} need attention, ${number(open)} open`,
    none: "Nothing needs attention",
    noneText: "Records come here when the provider needs help, or does not answer in time.",
  },
  mine: {
    title: "Assigned to me",
    all: ({ assignedToMe }: Counts) => `${number(assignedToMe)} open`,
    none: "Nothing is assigned to you",
    noneText: "Take a record in the queue with “a”, or let a colleague hand one over.",
  },
} as const;

const kinds = {
  queue: { input: { needsAttention: true }, search: {} },
  mine: { input: { assignee: "me", open: true }, search: { tab: "open", assignee: "me" } },
} as const;

/** The first records that need attention, or those of the person, oldest first. */
export function RecordLines({ kind, counts }: { kind: keyof typeof kinds; counts: Counts | undefined }) {
  const { title, all, none, noneText } = words[kind];
  const { input, search } = kinds[kind];
  const now = useNow();
  const query = useQuery({
    ...api.records.search.queryOptions({ ...input, order: "oldest", limit: 5 }, background),
    refetchInterval: 20_000,
  });
  return (
    <Lines
      title={title}
      all={counts && { text: all(counts), link: { to: "/queue", search } }}
      query={query}
      lines={query.data?.records.map((row) => ({
        key: row.kycRecordId,
        link: { to: "/records/$kycRecordId", params: { kycRecordId: row.kycRecordId } },
        meaning: stateOf(row).meaning,
        name: <span className="mono">{shortId(row.kycRecordId)}</span>,
        parts: [whyOf(row), row.platformName],
        age: ageWords(now - Date.parse(row.createdAt)),
      }))}
      nothing={{ title: none, text: noneText }}
    />
  );
}
