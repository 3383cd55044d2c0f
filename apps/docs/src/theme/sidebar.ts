import type { StarlightUserConfig } from "@astrojs/starlight/types";
import { sections, slugOf } from "../navigation.ts";
import { referenceItems } from "../reference/sidebar.ts";

type Sidebar = NonNullable<StarlightUserConfig["sidebar"]>;

/** The sidebar in the form of Starlight: a group of each section. */
export const sidebar: Sidebar = sections.map(({ folder, title, groups }) => ({
  label: title,
  items: groups.map(({ title: label = "", pages }) => ({
    label,
    items: pages.map((name) => ({ slug: slugOf(folder, name) || "index" })),
  })),
}));

// The reference is what platforms need next.
sidebar.splice(1, 0, {
  label: "API reference",
  items: referenceItems(),
});
