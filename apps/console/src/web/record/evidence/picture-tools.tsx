import { cx } from "../../ui/class.ts";
import { Icon } from "../../ui/icon.tsx";
import type { View } from "./use-view.ts";
import { words } from "./words.ts";

interface Props {
  name: string;
  view: View;
  pages: { page: number; pages: number; allPages: number };
  onPage(page: number): void;
}

/** The buttons of a picture: zoom, turn, and the pages of a PDF. */
export function PictureTools({ name, view, pages: { page, pages, allPages }, onPage }: Props) {
  const tool = (text: string, icon: Parameters<typeof Icon>[0]["name"], act: () => void, off = false) => (
    <button
      type="button"
      title={text}
      aria-label={`${text}: ${name}`}
      aria-disabled={off || undefined}
      onClick={() => off || act()}
      className="inline-flex size-8 items-center justify-center rounded text-muted hover:bg-sunken hover:text-text aria-disabled:cursor-not-allowed aria-disabled:text-line-strong"
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-0.5 border-t border-line px-1.5 py-1">
      {tool(words.zoomOut, "smaller", view.smaller, view.zoom === 1)}
      <span aria-live="polite" className="w-12 text-center text-13 text-muted tabular-nums">
        {words.zoomed(view.zoom * 100)}
      </span>
      {tool(words.zoomIn, "larger", view.larger)}
      {tool(words.fit, "fit", view.fit)}
      {tool(words.turn, "turn", view.turn)}
      {pages > 1 && (
        <span className="ml-auto flex items-center gap-0.5">
          {tool(words.previousPage, "back", () => onPage(page - 1), page === 1)}
          <span aria-live="polite" className="text-13 text-muted tabular-nums">
            {words.page(page, pages)}
          </span>
          {tool(words.nextPage, "next", () => onPage(page + 1), page === pages)}
        </span>
      )}
      {allPages > pages && (
        <p className={cx("w-full px-1 text-13 text-attention")}>{words.morePages(pages, allPages)}</p>
      )}
    </div>
  );
}
