import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { words as effects, type ShownError, shownError } from "../api/problem.ts";
import { shared } from "../lib/words.ts";
import { Button, buttonClass } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { RequestId } from "./request-id.tsx";

interface EmptyProps {
  title: string;
  text: string;
  children?: ReactNode;
}

/** Why there is nothing, and what would fill it. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className="flex flex-col items-start gap-1 px-4 py-8">
      <p className="text-16 font-semibold">{title}</p>
      <p className="max-w-[60ch] text-muted">{text}</p>
      {children && <div className="mt-3">{children}</div>}
    </div>
  );
}

const titles: Partial<Record<ShownError["kind"], [title: string, text: string]>> = {
  unavailable: [shared.errors.unavailable, shared.errors.unavailableText],
  offline: [shared.errors.offline, shared.errors.offlineText],
  paused: [shared.errors.paused, shared.errors.pausedText],
  limited: [shared.errors.limited, shared.errors.limitedText],
  invalid: [shared.errors.narrow, ""],
  "not-found": [shared.errors.missing, shared.errors.missingText],
  conflict: [shared.errors.conflict, shared.errors.conflictText],
};

/** An error of a reading: what happened, that nothing was changed, what to do, and the request id to report. A refusal is one sentence, with the roles that may. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { kind, message, requestId } = shownError(error);
  const [title, text] = titles[kind] ?? [shared.errors.unexpected, shared.errors.unexpectedText];
  if (kind === "refused") {
    return (
      <p role="alert" className="flex items-center gap-3 px-4 py-6 text-16">
        <Icon name="lock" className="text-muted" />
        {message || shared.errors.refused}
      </p>
    );
  }
  return (
    <div role="alert" className="flex items-start gap-3 px-4 py-6">
      <Icon name="warning" className="mt-1 text-bad" />
      <div className="flex min-w-0 flex-col items-start gap-1">
        <p className="text-16 font-semibold">{title}</p>
        {(message || text) && <p className="max-w-[65ch] text-muted">{message || text}</p>}
        <p className="text-muted">{effects.nothing}</p>
        <RequestId id={requestId} />
        {onRetry && (
          <Button className="mt-3" onClick={onRetry}>
            {shared.retry}
          </Button>
        )}
      </div>
    </div>
  );
}

interface MissingProps {
  /** What the view is called, for its head. */
  view: string;
  title: string;
  text: string;
  /** Where to go on from here. */
  way: { name: string; link: LinkProps };
  error: unknown;
  onRetry(): void;
}

/** Why a view about one thing cannot be shown: there is no such thing, or its reading failed. */
export function Missing({ view, title, text, way, error, onRetry }: MissingProps) {
  return (
    <div className="rounded border border-line bg-surface">
      <h1 className="sr-only">{view}</h1>
      {["not-found", "invalid"].includes(shownError(error).kind) ? (
        <Empty title={title} text={text}>
          <Link {...way.link} className={buttonClass("plain")}>
            {way.name}
          </Link>
        </Empty>
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </div>
  );
}

/** A grey bar in the shape of what comes. */
export const Bar = ({ className }: { className: string }) => (
  <span aria-hidden="true" className={`skeleton block ${className}`} />
);
