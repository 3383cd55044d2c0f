import { defaultPolicies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import { expect, it } from "vitest";
import { banner } from "../../src/boot/development/banner.ts";
import { createDocument } from "../../src/http/openapi/document.ts";
import { restRoutes } from "../../src/http/rest/routes.ts";
import { filesWhere, manifests, readFile } from "./statements/project.ts";

/* The root's package.json has the only version. Everything that shows a version shows this one. */
const version = manifests.get("")?.version;

it("the document and the banner have it", () => {
  const routes = restRoutes(createOperations(defaultPolicies));
  const facts = { publicUrl: "https://cards.example.com", environment: "test" } as const;
  expect(createDocument(routes, facts).info.version).toBe(version);
  const options = { run: "all", fourEyes: true, metrics: undefined, production: true } as const;
  const text = banner({ url: "http://a", environment: "test", demo: false, docs: false, ...options });
  expect(text).toMatch(new RegExp(`^ {2}Version +${version}$`, "m"));
});

it("only the published packages repeat it", () => {
  const others = [...manifests].filter(
    ([folder, manifest]) => folder !== "" && manifest.version !== undefined,
  );
  expect(Object.fromEntries(others.map(([folder, manifest]) => [folder, manifest.version]))).toEqual({
    "packages/client": version,
    "packages/trpc-client": version,
  });
});

it("pages, examples and deployments show it", () => {
  const shown = /(?:"?version"?: "|newTag: |cardbridge-)(\d+\.\d+\.\d+)\b/g;
  const files = filesWhere((path) =>
    /^(?:docs\/operate\/.*\.md|packages\/service\/src\/.*\.ts|ops\/.*\.yaml)$/.test(path),
  );
  // Between two releases, they show the next one.
  const next = version?.replace("-dev", "");
  const found = files.flatMap((path) =>
    [...readFile(path).matchAll(shown)].map(([, number]) => `${path}: ${number}`),
  );
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((each) => !each.endsWith(`: ${next}`))).toEqual([]);
});
