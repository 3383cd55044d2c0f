import { readdir, readFile } from "node:fs/promises";
import { defaultPolicies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/operations";
import { expect, it } from "vitest";
import { createDocument } from "../../src/openapi/document.ts";
import { restRoutes } from "../../src/rest/routes.ts";
import { breakingChanges } from "./breaking-changes.ts";

/*
 * Compares the document with that of the last release. From 1.0 on, changes to /openapi/v1 are only additive (gap G23).
 * Until then, accepted-changes.json beside the released document lists each breaking change with its reason.
 */

const releases = new URL("../../../../docs/releases/", import.meta.url);
const versions = (await readdir(releases)).filter((name) => /^\d/.test(name));
const [last = ""] = versions.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
const read = async (name: string) => JSON.parse(await readFile(new URL(`${last}/${name}`, releases), "utf8"));

const publicUrl = "https://cards.example.com";
const routes = restRoutes(createOperations({ ...defaultPolicies, ownOrigin: publicUrl }));
// biome-ignore lint/suspicious/noExplicitAny: tests change any part of it.
const document = (): any =>
  JSON.parse(JSON.stringify(createDocument(routes, { publicUrl, environment: "test" })));

it("has no breaking change since the last release, besides those with a reason", async () => {
  const accepted: Record<string, string[]> = await read("accepted-changes.json");
  const changes = breakingChanges(await read("openapi.json"), document());
  expect(changes).toEqual(Object.values(accepted).flat().sort());
});

const list = "/openapi/v1/cards/list";
const kyc = "/openapi/v1/users/kyc";
const body = "requestBody/content/application/json/schema";
const items = "responses/200/content/application/json/schema/properties/items/items";
// biome-ignore lint/suspicious/noExplicitAny: as above.
type Change = (changed: any) => unknown;
type Named = { name: string };

/** Each deliberate break, and the line that reports it. */
const breaks: [string, Change][] = [
  [`get ${list}: remove ${items}/properties/last4`, ({ schemas }) => delete schemas.Card.properties.last4],
  [
    `get ${list}: remove ${items}/required/type`,
    ({ schemas }) => schemas.Card.required.splice(schemas.Card.required.indexOf("type"), 1),
  ],
  [
    `get ${list}: replace ${items}/properties/cardId/type`,
    ({ schemas }) => Object.assign(schemas.Card.properties.cardId, { type: ["string", "null"] }),
  ],
  [
    `post ${kyc}: add ${body}/required/taxId`,
    ({ schemas }) => {
      schemas.KycSubmission.properties.taxId = { type: "string" };
      schemas.KycSubmission.required.push("taxId");
    },
  ],
  [
    `post ${kyc}: remove ${body}/properties/gender/enum/female`,
    ({ schemas }) => schemas.KycSubmission.properties.gender.enum.pop(),
  ],
  [
    `get ${list}: replace parameters/pageSize/schema/maximum`,
    ({ paths }) => {
      paths[list].get.parameters.find(({ name }: Named) => name === "pageSize").schema.maximum = 50;
    },
  ],
  [
    `get ${list}: add parameters/taxId`,
    ({ paths }) =>
      paths[list].get.parameters.push({ name: "taxId", in: "query", required: true, schema: {} }),
  ],
  [`post ${kyc}: remove responses/202`, ({ paths }) => delete paths[kyc].post.responses[202]],
  [`get ${kyc}: remove`, ({ paths }) => delete paths[kyc].get],
  [
    "replace components/securitySchemes/apiKey/scheme",
    ({ securitySchemes }) => Object.assign(securitySchemes.apiKey, { scheme: "basic" }),
  ],
  [
    "add rule tax-id-required",
    ({ schemas }) => schemas.KycSubmission.allOf.push({ "x-rule": "tax-id-required" }),
  ],
];

it("detects every kind of break", () => {
  const changed = document();
  for (const [, change] of breaks) change({ ...changed, ...changed.components });
  const expected = breaks.map(([line]) => line);
  expect(breakingChanges(document(), changed)).toEqual(expect.arrayContaining(expected));
});

it("allows new optional input, new fields, new values, new responses and new operations", () => {
  const changed = document();
  const { schemas } = changed.components;
  schemas.KycSubmission.properties.taxId = { type: "string" };
  schemas.Card.properties.color = { type: "string" };
  schemas.Card.required.push("color");
  schemas.KycHistoryEntry.properties.source.enum.push("import");
  changed.paths[list].get.responses[451] = { description: "A new error." };
  schemas.CardSummary = { type: "object", allOf: [{ "x-rule": "one-of-a-new-schema" }] };
  changed.paths["/openapi/v1/cards/summary"] = changed.paths[list];
  expect(breakingChanges(document(), changed)).toEqual([]);
});
