import { useLayoutEffect, useRef } from "react";

/** Single keys and two-key sequences such as `g q`, while nobody types and no dialog is open. */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before the page is shown: a key that is pressed at once is not lost.
  useLayoutEffect(() => {
    let first = "";
    let firstAt = 0;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      const sequence = event.timeStamp - firstAt < 1_000 ? `${first} ${event.key}` : "";
      const act = latest.current[sequence] ?? latest.current[event.key];
      first = event.key;
      firstAt = event.timeStamp;
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'))
    return true;
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
