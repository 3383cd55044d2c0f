import { useMe } from "../lib/use-me.ts";
import { TabLinks } from "../ui/head.tsx";

const words = {
  label: "Platforms and persons",
  platforms: "Platforms",
  persons: "Persons",
} as const;

/** Platforms and persons, for those who may see both. */
export function PlatformTabs() {
  const { may } = useMe();
  if (!may("ops.persons")) return null;
  return (
    <TabLinks
      label={words.label}
      tabs={[
        { name: words.platforms, link: { to: "/platforms" } },
        { name: words.persons, link: { to: "/platforms/persons" } },
      ]}
    />
  );
}
