import { useMe } from "../lib/use-me.ts";
import { TabLinks } from "../ui/head.tsx";

const words = {
  tabs: { label: "Platforms, keys and persons", platforms: "Platforms", keys: "Keys", persons: "Persons" },
} as const;

const { tabs } = words;

/** Platforms, keys and persons: what the person may see of them. */
export function PlatformTabs() {
  const { may } = useMe();
  return (
    <TabLinks
      label={tabs.label}
      tabs={[
        ...(may("ops.platforms") ? [{ name: tabs.platforms, link: { to: "/platforms" } as const }] : []),
        ...(may("ops.keys")
          ? [{ name: tabs.keys, link: { to: "/platforms/keys", search: {} } as const }]
          : []),
        ...(may("ops.persons") ? [{ name: tabs.persons, link: { to: "/platforms/persons" } as const }] : []),
      ]}
    />
  );
}
