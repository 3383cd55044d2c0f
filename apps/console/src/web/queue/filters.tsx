import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Counts } from "../api/shapes.ts";
import { shared } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class.ts";
import { PlatformFilter, WithinFilter } from "../ui/filters.tsx";
import { TabLinks } from "../ui/head.tsx";
import { Select } from "../ui/select.tsx";
import { expiries, isFiltered, type QueueSearch, statuses } from "./filter.ts";
import { words } from "./words.ts";

const tabs = [
  { tab: undefined, name: words.tabs.attention, count: "needsAttention" },
  { tab: "open", name: words.tabs.open, count: "open" },
  { tab: "requested", name: words.tabs.requested, count: undefined },
  { tab: "all", name: words.tabs.all, count: undefined },
] as const;

/** Which records: those that need attention, the open ones, those with an open request of the provider, or all. */
export const Tabs = ({ search, counts }: { search: QueueSearch; counts: Counts | undefined }) => (
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

interface Props {
  search: QueueSearch;
  counts: Counts | undefined;
  change(search: QueueSearch): void;
}

/** The filters of the list. On a narrow screen they are folded. */
export function Filters({ search, counts, change }: Props) {
  const [open, setOpen] = useState(false);
  const set = (fields: { [Name in keyof QueueSearch]?: QueueSearch[Name] | undefined }) =>
    change(
      Object.fromEntries(
        Object.entries({ ...search, ...fields }).filter(([, value]) => value),
      ) as QueueSearch,
    );
  const any = { value: "" as const, text: shared.queue.any };
  const named = (values: readonly string[], texts: Record<string, string>) =>
    values.map((value) => ({ value, text: texts[value] ?? value }));
  const set1 = Object.keys(search).filter((name) => name !== "tab" && name !== "order").length;
  return (
    <div className="pb-3">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-9 items-center gap-2 rounded border border-line bg-surface px-3 text-13 font-medium sm:hidden"
      >
        {words.filters}
        {set1 > 0 && <span className="rounded-full bg-accent-tint px-2 text-12 text-accent">{set1}</span>}
      </button>
      <div className={cx("flex-wrap items-center gap-2 sm:flex", open ? "mt-2 flex" : "hidden")}>
        <Select
          label={words.status}
          value={search.status ?? ""}
          options={[any, ...named(statuses, words.statusOf)]}
          onChange={(status) => set({ status: status as QueueSearch["status"] })}
        />
        <Select
          label={words.reason}
          value={search.reason ?? ""}
          options={[any, ...named(Object.keys(shared.reasons), shared.reasons)]}
          onChange={(reason) => set({ reason })}
        />
        {search.tab === "all" && (
          <Select
            label={words.document}
            value={search.document ?? ""}
            options={[
              any,
              ...expiries.map((value) => ({
                value,
                text: words.documentOf[value](counts?.documentExpiry[value]),
              })),
            ]}
            onChange={(document) => set({ document })}
          />
        )}
        <PlatformFilter value={search.platform} onChange={(platform) => set({ platform })} />
        <WithinFilter label={words.within} value={search.within} onChange={(within) => set({ within })} />
        <Select
          label={words.assignee}
          value={search.assignee ?? ""}
          options={[
            { value: "", text: words.anyone },
            { value: "me", text: words.mine },
            { value: "none", text: words.nobody },
          ]}
          onChange={(assignee) => set({ assignee: assignee as QueueSearch["assignee"] })}
        />
        <Select
          label={words.order}
          value={search.order ?? "oldest"}
          neutral="oldest"
          options={named(["oldest", "newest"], words.orderOf)}
          onChange={(order) => set({ order: order === "newest" ? order : undefined })}
        />
        {isFiltered(search) && (
          <Link to="/queue" search={search.tab ? { tab: search.tab } : {}} className={buttonClass("quiet")}>
            {words.clear}
          </Link>
        )}
      </div>
    </div>
  );
}
