import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";

type Place = RefObject<HTMLDivElement | null>;

/** The wheel zooms once the picture has the focus, so that it does not hold up whoever scrolls the page. */
export function useWheel(place: Place, larger: () => void, smaller: () => void): void {
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
export function useSteadyCentre(place: Place, zoom: number): void {
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
export function useDrag(place: Place) {
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
