import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { api, background } from "../api/client.ts";
import { type Scope, useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { proposalScopes } from "../proposals/kinds.ts";
import { useWaitingCount } from "../proposals/use-proposals.ts";
import { cx } from "../ui/class.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { popups } from "../ui/popups.ts";

const words = {
  label: "Main",
  more: "More",
  home: "Home",
  queue: "Queue",
  proposals: "Proposals",
  webhooks: "Webhooks",
  platforms: "Platforms",
  audit: "Audit",
  system: "System",
  waiting: "wait for you",
} as const;

interface Entry {
  to: "/" | "/queue" | "/proposals" | "/webhooks" | "/platforms" | "/audit" | "/system";
  icon: IconName;
  name: string;
  /** One of these scopes is needed; none for what everybody may see. */
  scopes?: readonly Scope[];
}

const sections: readonly Entry[] = [
  { to: "/", icon: "home", name: words.home },
  { to: "/queue", icon: "queue", name: words.queue },
  { to: "/proposals", icon: "proposals", name: words.proposals, scopes: proposalScopes },
  { to: "/webhooks", icon: "webhooks", name: words.webhooks, scopes: ["ops.webhooks"] },
  {
    to: "/platforms",
    icon: "platforms",
    name: words.platforms,
    scopes: ["ops.platforms", "ops.keys", "ops.persons"],
  },
  { to: "/audit", icon: "audit", name: words.audit, scopes: ["ops.audit"] },
  { to: "/system", icon: "system", name: words.system, scopes: ["ops.records.read"] },
];

interface ShownEntry extends Entry {
  /** How many things wait there, and what they are. */
  count?: number | undefined;
  counted?: string | undefined;
}

/** The entries that the person's roles can ever use, with what waits in them. None until the roles are known. */
function useEntries(ready: boolean): ShownEntry[] {
  const { may } = useMe();
  const counting = { ...api.records.counts.queryOptions({}, background), refetchInterval: 30_000 };
  const attention = useQuery(counting).data?.needsAttention;
  const counts: Partial<Record<Entry["to"], Pick<ShownEntry, "count" | "counted">>> = {
    "/queue": { count: attention, counted: shared.status.attention },
    "/proposals": { count: useWaitingCount(), counted: words.waiting },
  };
  return sections
    .filter(({ scopes }) => ready && (!scopes || may(...scopes)))
    .map((entry) => ({ ...entry, ...counts[entry.to] }));
}

const linkTo = (to: Entry["to"]) =>
  ({ to, search: {}, activeOptions: { exact: to === "/", includeSearch: false } }) as const;

/** The navigation beside the content. It keeps its place until it is `ready`: known what the person may see. */
export function SideNavigation({ ready }: { ready: boolean }) {
  const entries = useEntries(ready);
  return (
    <nav aria-label={words.label} className="hidden w-46 shrink-0 border-r border-line bg-surface md:block">
      <ul className="sticky top-14 flex flex-col gap-1 px-3 py-4">
        {entries.map(({ to, icon, name, ...waiting }) => (
          <li key={to}>
            <Link
              {...linkTo(to)}
              className="flex h-9 items-center gap-2.5 rounded px-3 font-medium text-muted hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-tint aria-[current=page]:text-accent"
            >
              <Icon name={icon} />
              {name}
              <Count {...waiting} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** As many entries as fit beside each other on a phone; the others are in a menu. */
const beside = 4;
const bottomEntry =
  "flex h-14 w-full items-center justify-center gap-1.5 font-medium text-muted -outline-offset-2 aria-[current=page]:text-accent max-sm:text-13";

/** The navigation below the content of a narrow screen. */
export function BottomNavigation({ ready }: { ready: boolean }) {
  const entries = useEntries(ready);
  const shown = entries.length > beside ? entries.slice(0, beside - 1) : entries;
  const others = entries.slice(shown.length);
  return (
    <nav
      aria-label={words.label}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex min-h-14">
        {shown.map(({ to, icon, name, ...waiting }) => (
          <li key={to} className="flex-1">
            <Link {...linkTo(to)} className={bottomEntry}>
              <Icon name={icon} className="size-5" />
              {name}
              <Count {...waiting} />
            </Link>
          </li>
        ))}
        {others.length > 0 && (
          <li className="flex-1">
            <MoreMenu entries={others} />
          </li>
        )}
      </ul>
    </nav>
  );
}

function MoreMenu({ entries }: { entries: readonly ShownEntry[] }) {
  const path = useLocation().pathname;
  const inside = entries.some(({ to }) => path.startsWith(to));
  return (
    <Menu.Root>
      <Menu.Trigger className={cx(bottomEntry, "data-popup-open:text-accent", inside && "text-accent")}>
        <Icon name="more" className="size-5" />
        {words.more}
      </Menu.Trigger>
      <Menu.Portal container={popups}>
        <Menu.Positioner align="end" sideOffset={6} className="z-40 outline-none">
          <Menu.Popup className="w-52 rounded bg-surface p-1 shadow-float outline-none">
            {entries.map(({ to, icon, name }) => (
              <Menu.Item
                key={to}
                render={<Link {...linkTo(to)} />}
                className="flex h-11 items-center gap-2.5 rounded px-3 outline-none data-highlighted:bg-accent-tint data-highlighted:text-accent"
              >
                <Icon name={icon} />
                {name}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Count({ count, counted }: Pick<ShownEntry, "count" | "counted">) {
  if (!count) return null;
  return (
    <span className="ml-auto rounded-full bg-attention-tint px-2 text-12 font-semibold text-attention tabular-nums max-md:ml-0">
      {count}
      <span className="sr-only"> {counted}</span>
    </span>
  );
}
