import type { Counts } from "../api/shapes.ts";
import { shared } from "../lib/words.ts";
import { type Filter, FilterBar, usePlatformFilter, withinFilter } from "../ui/filter-bar.tsx";
import { TabLinks } from "../ui/head.tsx";
import type { QueueSearch } from "./filter.ts";
import { words } from "./words.ts";

const tabs = [
  { tab: undefined, name: words.tabs.attention, count: "needsAttention" },
  { tab: "open", name: words.tabs.open, count: "open" },
  { tab: "requested", name: words.tabs.requested, count: undefined },
  { tab: "all", name: words.tabs.all, count: undefined },
] as const;

interface Props {
  search: QueueSearch;
  counts: Counts | undefined;
}

/** Which records: those that need attention, the open ones, those with an open request of the provider, or all. */
export const Tabs = ({ search, counts }: Props) => (
  <TabLinks
    label={words.tabsLabel}
    tabs={tabs.map(({ tab, name, count }) => ({
      name,
      // Only all records have approved ones among them.
      link: {
        to: "/queue",
        search: { ...search, tab, document: tab === "all" ? search.document : undefined },
      },
      bySearch: true,
      count: count && counts?.[count],
    }))}
  />
);

/** The filters of the list. */
export function Filters({ search, counts, change }: Props & { change(search: QueueSearch): void }) {
  const expiry = counts?.documentExpiry;
  const documents: Filter<QueueSearch> = {
    field: "document",
    label: words.document,
    texts: {
      expiring: words.documentOf.expiring(expiry?.expiring),
      expired: words.documentOf.expired(expiry?.expired),
    },
  };
  const filters: Filter<QueueSearch>[] = [
    { field: "status", label: words.status, texts: words.statusOf },
    { field: "reason", label: words.reason, texts: shared.reasons },
    ...(search.tab === "all" ? [documents] : []),
    usePlatformFilter(),
    withinFilter(words.within),
    { field: "assignee", label: words.assignee, texts: words.assigneeOf, none: words.anyone },
    { field: "order", label: words.order, texts: words.orderOf, none: words.oldest },
  ];
  return <FilterBar search={search} filters={filters} kept={["tab", "order"]} onChange={change} />;
}
