import type { ReactNode } from "react";
import type { UserFacts } from "../../api/shapes.ts";

/** What an act needs to know about its user. */
export interface ActProps {
  user: UserFacts;
  platform: string;
}

interface RowProps {
  name: string;
  text: string;
  danger?: boolean;
  /** The button that opens the act. */
  button: ReactNode;
  /** What came of it. */
  children?: ReactNode;
}

/** One act: what it does, the button, and what came of it. */
export function ActRow({ name, text, danger, button, children }: RowProps) {
  return (
    <div className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <h3 className={danger ? "font-medium text-bad" : "font-medium"}>{name}</h3>
          <p className="text-13 text-muted">{text}</p>
        </div>
        {button}
      </div>
      <div role="status" className="mt-3 empty:hidden">
        {children}
      </div>
    </div>
  );
}
