import { readFile } from "node:fs/promises";
import { guidesPath } from "./paths.ts";

export interface Guide {
  /** The last part of its path. */
  slug: string;
  title: string;
  /** Its Markdown. */
  load(): Promise<string>;
}

/**
 * The guides in the order of the menu.
 *
 * @param folder the project, or the part of it that a build contains
 * @param sandboxNotes further Markdown of the guide to the sandbox
 */
export function guidesIn(folder: URL, sandboxNotes: string): Guide[] {
  const read = (path: string) => readFile(new URL(path, folder), "utf8");
  const guide = (slug: string, title: string): Guide => ({
    slug,
    title,
    load: () => read(`docs/platforms/${slug}.md`),
  });
  return [
    guide("quick-start", "Quick start"),
    guide("authentication", "Authentication and environments"),
    guide("kyc", "KYC lifecycle"),
    guide("webhooks", "Webhooks"),
    guide("files", "Files"),
    guide("errors", "Errors"),
    guide("retries", "Idempotency and retries"),
    guide("cards", "Cards and pagination"),
    {
      ...guide("sandbox", "Sandbox"),
      load: async () => (await read("docs/platforms/sandbox.md")) + sandboxNotes,
    },
    guide("going-live", "Going live"),
    guide("versioning", "Versioning"),
    {
      slug: "decisions",
      title: "Our decisions",
      load: async () => forCallers(await read("docs/platforms/decisions.md")),
    },
    { slug: "changelog", title: "Changelog", load: () => read("CHANGELOG.md") },
  ];
}

/** The decisions without their references to the code. */
function forCallers(decisions: string): string {
  return decisions.replaceAll(/^- Change it: .*\n(?: {2}.*\n)*/gm, "");
}

/** The part of an OpenAPI document that the docs page shows first. */
export interface Described {
  info: { description: string };
}

/** The document with links to the guides. */
export function withGuides<T extends Described>(document: T, guides: readonly Guide[]): T {
  const links = guides.map(({ slug, title }) => `[${title}](${guidesPath}/${slug})`);
  const description = `Guides: ${links.join(" · ")}\n\n${document.info.description}`;
  return { ...document, info: { ...document.info, description } };
}
