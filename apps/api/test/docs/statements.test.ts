import { expect, it } from "vitest";
import { falseStatements, statementsOf } from "./statements/check.ts";
import * as foreign from "./statements/foreign.ts";
import { filesWhere, readFile } from "./statements/project.ts";

/** What the pages say exists: links, paths, commands, variables, error codes and others. The code decides. */

const isPage = /^(?:README|CHANGELOG|docs\/.*|(?:packages|apps)\/[\w-]+\/README|ops\/.*|bench\/README)\.md$/;
const pages = filesWhere((path) => isPage.test(path)).map((path) => ({ path, markdown: textOf(path) }));

/** Of the changelog what is not released: releases keep the names of their time. */
function textOf(path: string): string {
  const text = readFile(path);
  return path === "CHANGELOG.md" ? (text.split(/^## \[\d/m)[0] ?? "") : text;
}

it.each(pages)("$path names only what exists", (page) => {
  expect(falseStatements(page)).toEqual([]);
});

/** Each kind: a true statement, a false one, and what is reported of the false one. */
const examples = [
  ["[kyc](kyc.md)", "[kyc](kcy.md)", "link kcy.md"],
  ["[kyc](kyc.md#the-statuses)", "[kyc](kyc.md#statuses)", "anchor kyc.md#statuses"],
  ["[here](#a-page)", "[here](#another-page)", "anchor #another-page"],
  ["apps/api/src/main.ts", "apps/api/src/mian.ts", "path apps/api/src/mian.ts"],
  ["`apps/api/test/docs/` and `statements.test.ts`", "`statement.test.ts`", "file statement.test.ts"],
  ["`@cardbridge/provider/conformance`", "@cardbridge/provider/tests", "package @cardbridge/provider/tests"],
  ["`npm test`", "`npm run tset`", "script npm run tset"],
  ["`pnpm --filter @cardbridge/sandbox build`", "`pnpm start:all`", "script pnpm start:all"],
  ["`npx pnpm@10.34.8 turbo types`", "`npx pnpm@10.34.8 turbo type`", "script npx pnpm@10.34.8 turbo type"],
  ["pnpm@10.34.8", "pnpm@9.1.0", "pnpm pnpm@9.1.0"],
  ["`cardbridge records list --needs-attention`", "`cardbridge records lits`", "command records lits"],
  ["`keys create --expires never`", "`keys create --test`", "command keys create --test"],
  ["`--only`", "`--onyl`", "flag --onyl"],
  ["`RUN=api`", "`RUM=api`", "variable RUM"],
  ["`KEY_RING` and `FILES_S3_…`", "`KEYRING_FILE`", "name KEYRING_FILE"],
  ["`DATABASE_URL_FILE`", "RATE_LIMIT_READ", "name RATE_LIMIT_READ"],
  ["`KYC_REFUSED`, `REJECTED`", "`KYC_REJECTED`", "name KYC_REJECTED"],
  ["422 `KYC_REFUSED`", "400 `KYC_REFUSED`", "error 400 `KYC_REFUSED"],
  ["`Idempotency-Key`", "`Idempotence-Key`", "header Idempotence-Key"],
  ["`kyc:write`", "`kyc:read` and `cards:write`", "scope cards:write"],
  ["`cardbridge_pool_waiting`", "`cardbridge_pools_waiting`", "metric cardbridge_pools_waiting"],
  ["the rule `file-type`", "the rule `file-kind`", "rule file-kind"],
  ["`connection-refused`", "`conection-refused`", "word conection-refused"],
  ["`kyc.submit` and kyc.resolveDue", "kyc.send", "operation kyc.send"],
  ["`POST /openapi/v1/users/kyc`", "`PUT /openapi/v1/users/kyc`", "route PUT /openapi/v1/users/kyc"],
  ["`/openapi/v1/cards/list`", "`/openapi/v1/card/list`", "route /openapi/v1/card/list"],
  ["G20", "G99", "decision G99"],
] as const;

const example = (markdown: string) => ({
  path: "docs/platforms/example.md",
  markdown: `# A page\n\n${markdown}\n`,
});

it.each(examples)("%s is true, and %s is not", (right, wrong, report) => {
  expect(falseStatements(example(right))).toEqual([]);
  expect(falseStatements(example(wrong))).toContain(`docs/platforms/example.md:3 ${report}`);
});

it("has an example of each kind, and every kind is on some page", () => {
  const kinds = new Set(pages.flatMap((page) => statementsOf(page).map(({ kind }) => kind.name)));
  expect(new Set(examples.map(([, , report]) => report.split(" ")[0]))).toEqual(kinds);
});

it("reads commands, variables, headers and scopes in blocks of shell", () => {
  const block = [
    "```sh",
    "HERE=1 && echo $HERE",
    "NO_SUCH=1 npm run satrt",
    "cardbridge keys create --scopes kyc:wirte,kyc:write",
    "curl -H 'x-requestid: 1' http://127.0.0.1:3000/openapi/v1/cards",
    "```",
  ];
  expect(falseStatements(example(block.join("\n"))).map((line) => line.replace(/^.*?:/, ""))).toEqual([
    "5 script npm run satrt",
    "5 variable NO_SUCH",
    "7 header x-requestid",
    "6 scope kyc:wirte",
  ]);
});

it("skips comments, and what a table says of former times", () => {
  const table = "| Was | Is |\n| --- | --- |\n| `NO_SUCH_NAME` | `NO_OTHER_NAME` |\n";
  expect(falseStatements(example(`<!-- G99 -->\n\n${table}`))).toEqual([
    "docs/platforms/example.md:7 name NO_OTHER_NAME",
  ]);
});

it("a misspelled word of any page is found", () => {
  const statements = pages.flatMap((page) =>
    statementsOf(page).map(({ kind, statement }) => ({ page, kind, statement })),
  );
  expect(statements.length).toBeGreaterThan(3_000);
  const missed = statements.filter(({ page, kind, statement }) =>
    misspellings(statement.value).every((value) => kind.isKnown(value, page, statement)),
  );
  expect(
    missed.map(
      ({ page, kind, statement }) => `${page.path}:${statement.line} ${kind.name} ${statement.value}`,
    ),
  ).toEqual([]);
});

/** The value with one of its words changed, for each of them. */
function misspellings(value: string): string[] {
  const words = value.split(/([\s/]+)/);
  return words.map((_, changed) =>
    words
      .map((word, index) =>
        index === changed ? word.replace(/[A-Za-z\d](?=[^A-Za-z\d]*$)/, "$&$&$&") : word,
      )
      .join(""),
  );
}

it("no word of others is listed that no page has", () => {
  const text = pages.map(({ markdown }) => markdown).join("\n");
  const { foreignPaths: _, ...lists } = foreign;
  const unused = Object.values(lists)
    .flat()
    .filter((word) => !text.includes(word));
  expect(unused).toEqual([]);
});
