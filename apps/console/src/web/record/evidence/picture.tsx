import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { cx } from "../../ui/class.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";

const words = {
  unreadable: "This picture cannot be shown.",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  morePages: (pages: number, all: number) => `The first ${pages} of ${all} pages are shown.`,
  previousPage: "Previous page",
  nextPage: "Next page",
  zoomIn: "Zoom in (+)",
  zoomOut: "Zoom out (-)",
  fit: "Fit the picture (0)",
  turn: "Turn by 90° (r)",
  zoomed: (percent: number) => `${percent} %`,
} as const;

const steps = [1, 1.5, 2, 3, 4, 6] as const;

type View = ReturnType<typeof useView>;

/** How a picture is shown: larger than its place, and turned by quarters, clockwise. */
export function useView() {
  const [zoom, setZoom] = useState(1);
  const [turns, setTurns] = useState(0);
  return {
    zoom,
    turns,
    larger: () => setZoom((now) => steps.find((step) => step > now) ?? now),
    smaller: () => setZoom((now) => steps.findLast((step) => step < now) ?? now),
    turn: () => setTurns((now) => (now + 1) % 4),
    fit: () => {
      setZoom(1);
      setTurns(0);
    },
  };
}

interface Props {
  url: string;
  /** The size of the picture, in pixels. */
  width: number;
  height: number;
  label: string;
  view: View;
}

/** A picture in its place: keys and dragging move it. The arrows and the wheel scroll, as in every scrolling place. */
export function Picture({ url, width, height, label, view }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const { zoom, turns } = view;
  const [across, down] = turns % 2 === 1 ? [height, width] : [width, height];
  useSteadyCentre(place, zoom);
  const drag = useDrag(place);
  const acts: Record<string, () => void> = {
    "+": view.larger,
    "=": view.larger,
    "-": view.smaller,
    "0": view.fit,
    r: view.turn,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    // The page's own keys, such as r, are not for a picture.
    event.preventDefault();
    act();
  };
  if (failed) return <p className="p-4 text-muted">{words.unreadable}</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls.
    <div
      ref={place}
      role="group"
      aria-label={label}
      aria-keyshortcuts="+ - 0 r"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has keys.
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...drag}
      className="absolute inset-0 flex overflow-auto -outline-offset-2"
    >
      <div
        className="relative m-auto shrink-0"
        style={{
          width: `calc(min(100cqw, 100cqh * ${across / down}) * ${zoom})`,
          aspectRatio: `${across} / ${down}`,
        }}
      >
        <img
          src={url}
          alt={label}
          draggable={false}
          onError={() => setFailed(true)}
          className="absolute top-1/2 left-1/2 max-w-none select-none"
          style={{
            width: `${(width / across) * 100}%`,
            transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
          }}
        />
      </div>
    </div>
  );
}

type Place = RefObject<HTMLDivElement | null>;

/** Keeps what is in the middle there while the picture becomes larger or smaller. */
function useSteadyCentre(place: Place, zoom: number): void {
  const before = useRef(zoom);
  useLayoutEffect(() => {
    const { current } = place;
    const ratio = zoom / before.current;
    before.current = zoom;
    if (!current || ratio === 1) return;
    const { clientWidth, clientHeight } = current;
    current.scrollLeft = (current.scrollLeft + clientWidth / 2) * ratio - clientWidth / 2;
    current.scrollTop = (current.scrollTop + clientHeight / 2) * ratio - clientHeight / 2;
  }, [place, zoom]);
}

/** Moves the picture with the mouse. A finger scrolls by itself. */
function useDrag(place: Place) {
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType === "mouse" && event.button === 0)
        event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId))
        place.current?.scrollBy(-event.movementX, -event.movementY);
    },
  };
}

interface ToolsProps {
  name: string;
  view: View;
  pages: { page: number; pages: number; allPages: number };
  onPage(page: number): void;
}

/** The buttons of a picture: zoom, turn, and the pages of a PDF. */
export function PictureTools({ name, view, pages: { page, pages, allPages }, onPage }: ToolsProps) {
  const tool = (text: string, icon: IconName, act: () => void, off = false) => (
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
