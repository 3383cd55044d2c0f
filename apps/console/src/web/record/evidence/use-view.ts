import { useCallback, useState } from "react";

const steps = [1, 1.5, 2, 3, 4, 6] as const;

/** How a picture is shown: larger than its place, and turned. */
export interface View {
  zoom: number;
  /** The number of quarter turns, clockwise. */
  turns: number;
  larger(): void;
  smaller(): void;
  turn(): void;
  fit(): void;
}

export function useView(): View {
  const [zoom, setZoom] = useState(1);
  const [turns, setTurns] = useState(0);
  const larger = useCallback(() => setZoom((now) => steps.find((step) => step > now) ?? now), []);
  const smaller = useCallback(() => setZoom((now) => steps.findLast((step) => step < now) ?? now), []);
  const turn = useCallback(() => setTurns((now) => (now + 1) % 4), []);
  const fit = useCallback(() => {
    setZoom(1);
    setTurns(0);
  }, []);
  return { zoom, turns, larger, smaller, turn, fit };
}
