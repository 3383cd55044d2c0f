import { exampleOf, type Operation } from "../document/operations.ts";
import type { Page } from "../source/page.ts";
import { fieldsTable, rulesList } from "../tables/fields.ts";
import { errorsSection } from "./errors.ts";
import { limitsTable } from "./limits.ts";
import { linkTo } from "./link.ts";
import { parametersSection } from "./parameters.ts";
import { responsesSection, successesOf } from "./responses.ts";
import { exampleTabs } from "./snippets/tabs.ts";

/** The page of an operation. */
export function operationPage(operation: Operation): Page {
  const { id, method, path, summary, tag, isDocumented } = operation;
  const [description = ""] = operation.description.split("\n\n");
  const blocks = [
    description,
    `**${method}** \`${path}\``,
    scopeSentence(operation),
    "## Example",
    exampleTabs(operation),
    answerOf(operation),
    "## Request",
    ...parametersSection(operation),
    ...bodySection(operation),
    "## Response",
    ...responsesSection(operation),
    "## Errors",
    errorsSection(operation),
    "## Limits",
    limitsTable(operation),
    isDocumented ? "" : `This operation extends the platform interface: see ${decisionOn(tag)}.`,
  ];
  return {
    slug: `reference/${id}`,
    title: summary,
    description: firstSentence(description),
    markdown: `${blocks.filter(Boolean).join("\n\n")}\n`,
  };
}

/** The decision on an extension of the interface, by its anchor on the page of decisions. */
const decisionOn = (tag: string) => {
  const number = { Cards: "G31", Files: "G27", Users: "G17", Webhooks: "G32" }[tag] ?? "G24";
  return linkTo("platforms/decisions", `decision ${number}`, number.toLowerCase());
};

/** The scopes of which a key needs one, as the document says. */
function scopesOf({ description }: Operation): string[] {
  const sentence = description.split("\n\n").at(-1) ?? "";
  return [...sentence.matchAll(/`([a-z]+:[a-z]+)`/g)].map(([, scope = ""]) => scope);
}

/** The number of scopes from which a page says that any scope is enough. */
const allScopes = 5;

/** The scopes of an operation in words. */
export function scopeInWords(operation: Operation): string {
  const scopes = scopesOf(operation);
  return scopes.length >= allScopes ? "any" : scopes.map((scope) => `\`${scope}\``).join(" or ");
}

function scopeSentence(operation: Operation): string {
  const key = linkTo("platforms/authentication", "API key");
  const words = scopeInWords(operation);
  return `The ${key} needs ${words === "any" ? "any scope" : `the scope ${words}`}.`;
}

function answerOf(operation: Operation): string {
  const value = exampleOf(successesOf(operation)[0]?.[1].content?.["application/json"]?.examples);
  return value === undefined ? "" : `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function bodySection({ body }: Operation): string[] {
  if (!body) return [];
  const rules = rulesList(body.schema);
  return [
    "### Body",
    `\`${body.type}\`. ${body.description}`,
    fieldsTable(body.schema),
    ...(rules === "" ? [] : ["Rules between the fields:", rules]),
  ];
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
