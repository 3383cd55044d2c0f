import { expect, it } from "vitest";
import { kinds, type Page } from "./statements/kinds.ts";
import { partOf, statementsIn } from "./statements/pieces.ts";
import { filesWhere, readFile } from "./statements/project.ts";

/** What the pages name exists: links, files, scripts, variables, error codes and operations. The code decides. */

const isPage = /^(?:README|CHANGELOG|docs\/.*|(?:packages|apps)\/[\w-]+\/README|ops\/.*|bench\/README)\.md$/;
const pages = filesWhere((path) => isPage.test(path)).map((path) => ({ path, markdown: textOf(path) }));

/** Of the changelog what is not released, without its tables: releases and tables have the names of former times. */
function textOf(path: string): string {
  const text = readFile(path);
  if (path !== "CHANGELOG.md") return text;
  return (text.split(/^## \d/m)[0] ?? "").replaceAll(/^ *\|.*\|$/gm, "");
}

/** The statements of a page about what does not exist, such as `README.md:12 name NO_SUCH_VARIABLE`. */
function falseStatements(page: Page): string[] {
  return kinds.flatMap(({ name, places, pattern, isKnown }) =>
    places
      .flatMap((place) => statementsIn(partOf(page.markdown, place), pattern))
      .filter(({ value }) => !isKnown(value, page))
      .map(({ line, value }) => `${page.path}:${line} ${name} ${value}`),
  );
}

it.each(pages)("$path names only what exists", (page) => {
  expect(falseStatements(page)).toEqual([]);
});

/** Each kind: a true statement, a false one, and what is reported of the false one. */
const examples = [
  ["[kyc](kyc.md#the-fields)", "[kyc](kcy.md)", "link kcy.md"],
  ["[kyc](kyc.md#the-fields)", "[kyc](kyc.md#fields)", "link kyc.md#fields"],
  ["[here](#a-page)", "[here](#another-page)", "link #another-page"],
  ["apps/api/src/main.ts", "apps/api/src/mian.ts", "path apps/api/src/mian.ts"],
  ["`test/docs/` and `statements.test.ts`", "`statement.test.ts`", "file statement.test.ts"],
  ["`npm test`", "`npm run -s tset`", "script tset"],
  ["`cardbridge records list`", "`cardbridge records lits`", "command records lits"],
  ["`RUN=api`", "`RUM=api`", "name RUM"],
  ["```sh\nHERE=1 && echo $HERE\n```", "```sh\n\nNO_SUCH=1\n```", "name NO_SUCH"],
  ["`KEY_RING` and `FILES_S3_…`", "`KEYRING_FILE`", "name KEYRING_FILE"],
  ["`KYC_REFUSED`, `REJECTED`", "`KYC_REJECTED`", "name KYC_REJECTED"],
  ["422 `KYC_REFUSED`", "400 `KYC_REFUSED`", "error 400 `KYC_REFUSED"],
  ["`kyc.submit` and kyc.resolveDue", "kyc.send", "operation kyc.send"],
] as const;

it.each(examples)("%s is true, and %s is not", (right, wrong, report) => {
  const example = (markdown: string) => ({
    path: "docs/platforms/example.md",
    markdown: `# A page\n\n<!-- kyc.send -->${markdown}\n`,
  });
  const lines = (markdown: string) => falseStatements(example(markdown));
  expect(lines(right)).toEqual([]);
  expect(lines(wrong)).toEqual([expect.stringMatching(/^docs\/platforms\/example\.md:[35] /)]);
  expect(lines(wrong)[0]).toContain(report);
});

it("has an example of each kind", () => {
  expect(new Set(examples.map(([, , report]) => report.split(" ")[0]))).toEqual(
    new Set(kinds.map(({ name }) => name)),
  );
});
