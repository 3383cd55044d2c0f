import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/client.ts";
import { useLiveChanges } from "../lib/live.ts";

const words = {
  bar: (n: number) => (n === 1 ? "1 record changed" : `${n} records changed`),
  show: "Show",
} as const;

/** The shown records that changed since the list was read. */
export function useChanged(ids: readonly string[], refetch: () => Promise<unknown>) {
  const changes = useLiveChanges();
  const queries = useQueryClient();
  const [seen, setSeen] = useState(changes);
  const changed = new Set(ids.filter((id) => (changes.get(id) ?? 0) > (seen.get(id) ?? 0)));
  useEffect(() => {
    void queries.invalidateQueries(api.records.counts.queryFilter());
  }, [changes, queries]);
  const show = () => {
    setSeen(changes);
    void refetch();
  };
  return { changed, show };
}

/** Says how many shown records changed. It lies over the headings of the list, so that the rows keep their place. */
export function ChangeBar({ count, onShow }: { count: number; onShow(): void }) {
  return (
    <div
      aria-live="polite"
      className="z-20 max-lg:fixed max-lg:inset-x-4 max-lg:bottom-18 lg:sticky lg:top-14 lg:h-0"
    >
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="h-10 w-full rounded border border-accent-line bg-accent-tint text-13 font-medium text-accent tabular-nums shadow-float hover:border-accent lg:h-8.5 lg:rounded-b-none lg:shadow-none"
        >
          {words.bar(count)}: <span className="underline underline-offset-2">{words.show}</span>
        </button>
      )}
    </div>
  );
}
