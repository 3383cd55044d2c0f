import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode, RefObject } from "react";

interface Props {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  /** What has the focus first, in place of the first field or button. */
  focus?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
}

/** A dialog over the view. Escape and a click beside it close it. */
export function Dialog({ open, onOpenChange, title, focus, children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_14_22/0.5)]" />
        <Base.Popup
          {...(focus && { initialFocus: focus })}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-lg -translate-1/2 overflow-y-auto rounded bg-surface p-6 shadow-float outline-none"
        >
          <Base.Title className="mb-3 text-20 font-semibold">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
