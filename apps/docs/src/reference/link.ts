import { sections } from "../navigation.ts";
import { addressOf } from "../source/links.ts";

const slugs = new Set(
  sections.flatMap(({ folder, groups }) =>
    groups.flatMap(({ pages }) => pages.map((name) => `${folder}/${name}`)),
  ),
);

/** A link to a page of docs, or its label alone if the site does not have the page. */
export function linkTo(slug: string, label: string, anchor = ""): string {
  return slugs.has(slug) ? `[${label}](${addressOf(slug)}${anchor === "" ? "" : `#${anchor}`})` : label;
}
