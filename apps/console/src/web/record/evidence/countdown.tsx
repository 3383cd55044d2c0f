import { useEffect, useRef, useState } from "react";

/** The minutes and seconds until a time of this computer's clock. Calls `onEnd` then. */
export function Countdown({ until, onEnd }: { until: number; onEnd(): void }) {
  const [left, setLeft] = useState(() => until - Date.now());
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    const tick = () => {
      const next = until - Date.now();
      if (next <= 0) latest.current();
      else setLeft(next);
    };
    const timer = setInterval(tick, 1_000);
    // A computer that slept shows nothing that should be closed.
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [until]);
  const seconds = Math.max(0, Math.ceil(left / 1_000));
  return (
    <span role="timer" aria-live="off" className="font-medium tabular-nums">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
    </span>
  );
}
