import { type Scope, useMe } from "../lib/use-me.ts";
import type { IconName } from "../ui/icon.tsx";
import { words } from "../words.ts";

const { navigation } = words;

export interface Entry {
  to: "/" | "/queue" | "/users" | "/webhooks" | "/platforms" | "/audit" | "/system";
  icon: IconName;
  name: string;
  /** One of these scopes is needed; none for what everybody may see. */
  scopes?: readonly Scope[];
}

/** The sections of the console: what people work on, and what they operate. */
const groups: readonly (readonly Entry[])[] = [
  [
    { to: "/", icon: "home", name: navigation.home },
    { to: "/queue", icon: "queue", name: navigation.queue },
    { to: "/users", icon: "users", name: navigation.users, scopes: ["ops.users.read"] },
  ],
  [
    { to: "/webhooks", icon: "webhooks", name: navigation.webhooks, scopes: ["ops.webhooks"] },
    {
      to: "/platforms",
      icon: "platforms",
      name: navigation.platforms,
      scopes: ["ops.platforms", "ops.keys", "ops.persons"],
    },
    { to: "/audit", icon: "audit", name: navigation.audit, scopes: ["ops.audit"] },
    { to: "/system", icon: "system", name: navigation.system, scopes: ["ops.records.read"] },
  ],
];

/** The entries that the person's roles can ever use. */
export function useEntries(): Entry[][] {
  const { may } = useMe();
  return groups.map((entries) => entries.filter(({ scopes }) => !scopes || may(...scopes)));
}
