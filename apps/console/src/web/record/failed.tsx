import { Link } from "@tanstack/react-router";
import { shownError } from "../api/problem.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty, ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";

const { record: say } = words;

/** Why a record cannot be shown. */
export function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <div className="rounded border border-line bg-surface">
      <h1 className="sr-only">{say.title}</h1>
      {shownError(error).kind === "not-found" || shownError(error).kind === "invalid" ? (
        <Empty title={say.notFoundTitle} text={say.notFoundText}>
          <Link to="/queue" search={{}} className={buttonClass("plain")}>
            {say.toQueue}
          </Link>
        </Empty>
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </div>
  );
}
