import { Link } from "@tanstack/react-router";
import { cx } from "../ui/class.ts";
import { words } from "../words.ts";
import { type ProposalSearch, tabs } from "./search.ts";

const { proposals: say } = words;

/** Which proposals: those that wait for the person, the open ones, or the decided ones. */
export function ProposalTabs({ search, waiting }: { search: ProposalSearch; waiting: number | undefined }) {
  const current = search.tab ?? "waiting";
  return (
    <nav aria-label={say.tabsLabel}>
      <ul className="flex gap-1 border-b border-line">
        {tabs.map((tab) => (
          <li key={tab}>
            <Link
              to="/proposals"
              search={{ ...search, tab: tab === "waiting" ? undefined : tab }}
              aria-current={current === tab ? "true" : undefined}
              activeProps={{ "aria-current": undefined }}
              className={cx(
                "-mb-px flex h-10 items-center gap-2 border-b-2 px-2 text-14 font-medium whitespace-nowrap -outline-offset-2 sm:px-3",
                current === tab
                  ? "border-accent text-accent"
                  : "border-transparent text-muted hover:text-text",
              )}
            >
              {say.tabs[tab]}
              {tab === "waiting" && waiting !== undefined && (
                <span className="text-13 tabular-nums">{waiting.toLocaleString("en-GB")}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
