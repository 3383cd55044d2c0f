import { outsideCode } from "./links.ts";

const fences = /(?:^```\w+ tab="[^"]+"(?: illustration)?\n(?:(?!```).*\n)*```\n+){2,}/gm;
const fence = /^```(?<language>\w+) tab="(?<label>[^"]+)"(?: illustration)?\n(?<code>(?:(?!```).*\n)*)```$/gm;

/**
 * Groups neighbouring blocks of code with a `tab` into tabs, which are radio buttons and need no script:
 *
 *     ```sh tab="curl"
 *     ```ts tab="TypeScript"
 */
export function groupTabs(markdown: string): string {
  let groups = 0;
  return markdown.replaceAll(fences, (group) => {
    groups += 1;
    const name = `tabs-${groups}`;
    const blocks = [...group.matchAll(fence)].map(({ groups: block = {} }) => block);
    const buttons = blocks.map(
      ({ label }, index) =>
        `<input type="radio" name="${name}" id="${name}-${index}" value="${label}"${index === 0 ? " checked" : ""}>` +
        `<label for="${name}-${index}">${label}</label>`,
    );
    const panels = blocks.map(
      ({ language, code }) => `<div class="panel">\n\n\`\`\`${language}\n${code}\`\`\`\n\n</div>`,
    );
    return `<div class="tabs" role="group" aria-label="Language">\n${buttons.join("\n")}\n${panels.join("\n")}\n</div>\n\n`;
  });
}

/** Escapes `<` outside of code and anchors such as `<a id="rate_limited"></a>`, which Markdown would read as HTML. */
export const escapeAngleBrackets = (markdown: string): string =>
  outsideCode(markdown, (text) =>
    text
      .split(/(`[^`\n]*`|<a id="[\w-]+"><\/a>)/)
      .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/<(?!https?:|!--)/g, "&lt;")))
      .join(""),
  );
