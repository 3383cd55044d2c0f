import { Link } from "@tanstack/react-router";
import { shared } from "../lib/words.ts";
import { buttonClass, Key } from "../ui/button.tsx";
import { More } from "../ui/list-state.tsx";
import { Bar, Empty } from "../ui/states.tsx";
import { isFiltered, type QueueSearch } from "./filter.ts";
import type { useQueue } from "./use-queue.ts";
import { words } from "./words.ts";

/** More records, or that there are none, and the keys. */
export function Foot({ list }: { list: ReturnType<typeof useQueue> }) {
  return (
    <More query={list}>
      {!list.hasNextPage && <p>{words.end(list.rows.length)}</p>}
      {list.last?.narrow && <p>{words.narrow}</p>}
      <p aria-hidden="true" className="ml-auto hidden items-center gap-4 pointer-fine:md:flex">
        {words.keys.map(([key, text]) => (
          <span key={key} className="flex items-center gap-1">
            {key.split(" ").map((part) => (
              <Key key={part}>{part}</Key>
            ))}
            {text}
          </span>
        ))}
      </p>
    </More>
  );
}

/** Why the list is empty, and what would fill it. */
export function Nothing({ search }: { search: QueueSearch }) {
  const { empty } = words;
  if (isFiltered(search)) {
    return (
      <Empty title={empty.filtered} text={empty.filteredText}>
        <Link to="/queue" search={search.tab ? { tab: search.tab } : {}} className={buttonClass("plain")}>
          {words.clear}
        </Link>
      </Empty>
    );
  }
  if (search.tab === "requested") return <Empty title={empty.requested} text={empty.requestedText} />;
  if (search.tab) return <Empty title={empty.all} text={empty.allText} />;
  return (
    <Empty title={empty.attention} text={empty.attentionText}>
      <Link to="/queue" search={{ tab: "open" }} className={buttonClass("plain")}>
        {empty.attentionLink}
      </Link>
    </Empty>
  );
}

/** The shape of the list before it is there. */
export function Loading() {
  return (
    <div aria-busy="true" className="rounded border border-line bg-surface">
      <span className="sr-only">{shared.queue.loading}</span>
      <div className="hidden h-8 lg:block" />
      {Array.from({ length: 12 }, (_, index) => (
        <div
          key={index}
          className="flex h-[85px] items-center gap-4 border-t border-line px-3 md:h-[63px] lg:h-9"
        >
          <Bar className="size-3 rounded-full" />
          <Bar className="h-4 w-32" />
          <Bar className="h-4 w-56 max-w-[35%]" />
          <Bar className="ml-auto h-4 w-20" />
        </div>
      ))}
    </div>
  );
}
