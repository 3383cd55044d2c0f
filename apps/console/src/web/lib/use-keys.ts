import { useLayoutEffect, useRef } from "react";

/** Single keys and sequences that begin with `g`, such as `g q`, while nobody types and no dialog is open. */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before the page is shown: a key that is pressed at once is not lost.
  useLayoutEffect(() => {
    let sequenceUntil = 0;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      // The second key of a sequence is no key of its own: `g h` does not hand a record over.
      const act = latest.current[event.timeStamp < sequenceUntil ? `g ${event.key}` : event.key];
      sequenceUntil = event.key === "g" ? event.timeStamp + 1_000 : 0;
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

function isTyping({ target }: KeyboardEvent): boolean {
  // The list of the search has no keys of its own, and a hidden view may keep what was open.
  const open = [...document.querySelectorAll(overlays)];
  if (open.some((each) => each.checkVisibility() && !each.closest("search"))) return true;
  if (!(target instanceof Element)) return false;
  // A radio or a box takes Space and the arrows alone.
  return (
    target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]") !== null
  );
}
