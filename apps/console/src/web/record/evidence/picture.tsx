import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { View } from "./use-view.ts";

const words = {
  unreadable: "This picture cannot be shown.",
} as const;

interface Props {
  url: string;
  /** The size of the picture, in pixels. */
  width: number;
  height: number;
  label: string;
  view: View;
}

/** A picture in its place: keys, the wheel and dragging move it. The arrows scroll, as in every scrolling place. */
export function Picture({ url, width, height, label, view: { zoom, turns, ...view } }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const isSideways = turns % 2 === 1;
  const [across, down] = isSideways ? [height, width] : [width, height];
  useWheel(place, view.larger, view.smaller);
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

/** The wheel zooms once the picture has the focus, so that it does not hold up whoever scrolls the page. */
function useWheel(place: Place, larger: () => void, smaller: () => void): void {
  useEffect(() => {
    const { current } = place;
    const listen = (event: WheelEvent) => {
      if (document.activeElement !== current) return;
      event.preventDefault();
      if (event.deltaY < 0) larger();
      else if (event.deltaY > 0) smaller();
    };
    current?.addEventListener("wheel", listen, { passive: false });
    return () => current?.removeEventListener("wheel", listen);
  }, [place, larger, smaller]);
}

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
  const from = useRef<{ x: number; y: number }>(undefined);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      from.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!from.current || !place.current) return;
      place.current.scrollLeft -= event.clientX - from.current.x;
      place.current.scrollTop -= event.clientY - from.current.y;
      from.current = { x: event.clientX, y: event.clientY };
    },
    onPointerUp: () => {
      from.current = undefined;
    },
  };
}
