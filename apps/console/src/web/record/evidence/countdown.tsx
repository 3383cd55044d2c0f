import { useEffect, useState } from "react";

/** The minutes and seconds until a time of this computer's clock. */
export function Countdown({ until }: { until: number }) {
  const [left, setLeft] = useState(() => until - Date.now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(until - Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, Math.ceil(left / 1_000));
  return (
    <span role="timer" aria-live="off" className="font-medium tabular-nums">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
    </span>
  );
}
