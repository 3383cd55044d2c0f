import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { Icon } from "../ui/icon.tsx";
import { words } from "../words.ts";

const { navigation } = words;
const entries = [
  { to: "/queue", icon: "queue", name: navigation.queue },
  { to: "/users", icon: "users", name: navigation.users },
] as const;

function useAttentionCount(): number | undefined {
  return useQuery(api.records.counts.queryOptions({})).data?.needsAttention;
}

/** The navigation beside the content. */
export function SideNavigation() {
  const count = useAttentionCount();
  return (
    <nav
      aria-label={navigation.label}
      className="hidden w-46 shrink-0 border-r border-line bg-surface md:block"
    >
      <ul className="sticky top-14 flex flex-col gap-1 px-3 py-4">
        {entries.map(({ to, icon, name }) => (
          <li key={to}>
            <Link
              to={to}
              search={{}}
              activeOptions={{ includeSearch: false }}
              className="flex h-9 items-center gap-2.5 rounded px-3 font-medium text-muted hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-tint aria-[current=page]:text-accent"
            >
              <Icon name={icon} />
              {name}
              {to === "/queue" && <Count count={count} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The navigation below the content of a narrow screen. */
export function BottomNavigation() {
  const count = useAttentionCount();
  return (
    <nav
      aria-label={navigation.label}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex">
        {entries.map(({ to, icon, name }) => (
          <li key={to} className="flex-1">
            <Link
              to={to}
              search={{}}
              activeOptions={{ includeSearch: false }}
              className="flex h-14 items-center justify-center gap-2 font-medium text-muted -outline-offset-2 aria-[current=page]:text-accent"
            >
              <Icon name={icon} className="size-5" />
              {name}
              {to === "/queue" && <Count count={count} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ count }: { count: number | undefined }) {
  if (!count) return null;
  return (
    <span className="ml-auto rounded-full bg-attention-tint px-2 text-12 font-semibold text-attention tabular-nums max-md:ml-0">
      {count}
      <span className="sr-only"> {words.status.attention}</span>
    </span>
  );
}
