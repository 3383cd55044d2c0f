import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { readsProposals } from "../lib/scopes.ts";
import { useWaitingCount } from "../proposals/use-proposals.ts";
import { Icon } from "../ui/icon.tsx";
import { words } from "../words.ts";

const { navigation } = words;
const entries = [
  { to: "/queue", icon: "queue", name: navigation.queue },
  { to: "/users", icon: "users", name: navigation.users },
  { to: "/proposals", icon: "proposals", name: navigation.proposals },
] as const;

/** The entries that the person's roles have a use for, each with what waits there. */
function useEntries() {
  const me = useQuery(api.persons.me.queryOptions({})).data;
  const attention = useQuery(api.records.counts.queryOptions({})).data?.needsAttention;
  const waiting = useWaitingCount(me);
  return entries
    .filter(({ to }) => to !== "/proposals" || readsProposals(me))
    .map((entry) => ({
      ...entry,
      count: entry.to === "/queue" ? attention : entry.to === "/proposals" ? waiting : undefined,
      counted: entry.to === "/proposals" ? words.proposals.waiting : words.status.attention,
    }));
}

/** The navigation beside the content. */
export function SideNavigation() {
  const shown = useEntries();
  return (
    <nav
      aria-label={navigation.label}
      className="hidden w-46 shrink-0 border-r border-line bg-surface md:block"
    >
      <ul className="sticky top-14 flex flex-col gap-1 px-3 py-4">
        {shown.map(({ to, icon, name, count, counted }) => (
          <li key={to}>
            <Link
              to={to}
              search={{}}
              activeOptions={{ includeSearch: false }}
              className="flex h-9 items-center gap-2.5 rounded px-3 font-medium text-muted hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-tint aria-[current=page]:text-accent"
            >
              <Icon name={icon} />
              {name}
              <Count count={count} counted={counted} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The navigation below the content of a narrow screen. */
export function BottomNavigation() {
  const shown = useEntries();
  return (
    <nav
      aria-label={navigation.label}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex">
        {shown.map(({ to, icon, name, count, counted }) => (
          <li key={to} className="flex-1">
            <Link
              to={to}
              search={{}}
              activeOptions={{ includeSearch: false }}
              className="flex h-14 items-center justify-center gap-1.5 text-13 font-medium text-muted -outline-offset-2 aria-[current=page]:text-accent"
            >
              <Icon name={icon} className="size-5" />
              {name}
              <Count count={count} counted={counted} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ count, counted }: { count: number | undefined; counted: string }) {
  if (!count) return null;
  return (
    <span className="ml-auto rounded-full bg-attention-tint px-2 text-12 font-semibold text-attention tabular-nums max-md:ml-0">
      {count}
      <span className="sr-only"> {counted}</span>
    </span>
  );
}
