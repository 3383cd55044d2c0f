import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { type Scope, useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { proposalScopes } from "../proposals/kinds.ts";
import { useWaitingCount } from "../proposals/use-proposals.ts";
import type { IconName } from "../ui/icon.tsx";

const words = {
  home: "Home",
  queue: "Queue",
  users: "Users",
  proposals: "Proposals",
  webhooks: "Webhooks",
  platforms: "Platforms",
  audit: "Audit",
  system: "System",
  waiting: "wait for you",
} as const;

interface Entry {
  to: "/" | "/queue" | "/users" | "/proposals" | "/webhooks" | "/platforms" | "/audit" | "/system";
  icon: IconName;
  name: string;
  /** One of these scopes is needed; none for what everybody may see. */
  scopes?: readonly Scope[];
}

/** The sections of the console: what people work on, and what they operate. */
const groups: readonly (readonly Entry[])[] = [
  [
    { to: "/", icon: "home", name: words.home },
    { to: "/queue", icon: "queue", name: words.queue },
    { to: "/users", icon: "users", name: words.users, scopes: ["ops.users.read"] },
    {
      to: "/proposals",
      icon: "proposals",
      name: words.proposals,
      scopes: proposalScopes,
    },
  ],
  [
    { to: "/webhooks", icon: "webhooks", name: words.webhooks, scopes: ["ops.webhooks"] },
    {
      to: "/platforms",
      icon: "platforms",
      name: words.platforms,
      scopes: ["ops.platforms", "ops.keys", "ops.persons"],
    },
    { to: "/audit", icon: "audit", name: words.audit, scopes: ["ops.audit"] },
    { to: "/system", icon: "system", name: words.system, scopes: ["ops.records.read"] },
  ],
];

export interface ShownEntry extends Entry {
  /** How many things wait there, and what they are. */
  count?: number | undefined;
  counted?: string | undefined;
}

/** The entries that the person's roles can ever use, with what waits in them. */
export function useEntries(): ShownEntry[][] {
  const { may } = useMe();
  const attention = useQuery(api.records.counts.queryOptions({})).data?.needsAttention;
  const counts: Partial<Record<Entry["to"], Pick<ShownEntry, "count" | "counted">>> = {
    "/queue": { count: attention, counted: shared.status.attention },
    "/proposals": { count: useWaitingCount(), counted: words.waiting },
  };
  return groups.map((entries) =>
    entries
      .filter(({ scopes }) => !scopes || may(...scopes))
      .map((entry) => ({ ...entry, ...counts[entry.to] })),
  );
}
