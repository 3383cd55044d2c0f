import { describe, expect, it } from "vitest";
import {
  authenticatedAt,
  type ClaimNames,
  nameOf,
  platformsOf,
  rolesOf,
  subjectOf,
} from "../../../src/admission/persons/person-token.ts";
import { rolesClaim } from "../../../src/config/person-formats.ts";

const named = (changes: Partial<ClaimNames> = {}): ClaimNames => ({
  subject: "sub",
  roles: rolesClaim.parse("roles"),
  platforms: "platforms",
  ...changes,
});

it.each([
  ["roles", { roles: ["support", "unknown", "viewer"] }, ["viewer", "support"]],
  ["roles", { roles: "support" }, ["support"]],
  ["roles", { roles: [["support"], { support: true }, null, 1] }, []],
  [
    "realm_access.roles",
    { "realm_access.roles": ["viewer"], realm_access: { roles: ["compliance"] } },
    ["viewer"],
  ],
  [
    "groups:card-support=support,card-admins=administrator",
    { groups: ["card-admins", "support"] },
    ["administrator"],
  ],
  ["groups:both=support,both=operator", { groups: ["both"] }, ["support", "operator"]],
  ["https://example.com/roles:urn:x:y=viewer", { "https://example.com/roles": ["urn:x:y"] }, ["viewer"]],
  ["constructor.name", {}, []],
])("PERSONS_ROLES=%s reads %j as %j", (text, claims, roles) => {
  expect(rolesOf(claims, named({ roles: rolesClaim.parse(text) }))).toEqual(roles);
});

it.each(["groups:", "groups:a", "groups:a=unknown", "groups:=viewer", "a b", ":a=viewer", ""])(
  "PERSONS_ROLES=%s is refused",
  (text) => {
    expect(rolesClaim.safeParse(text).success).toBe(false);
  },
);

describe("the platforms of a token", () => {
  it.each([
    [{}, "all"],
    [{ platforms: ["plt_1", "plt_2"] }, ["plt_1", "plt_2"]],
    [{ platforms: [] }, []],
    [{ platforms: null }, []],
    [{ platforms: "all" }, ["all"]],
    // Entries and keys of `internal` are about all platforms.
    [{ platforms: ["internal", "plt_1"] }, ["plt_1"]],
    [{ platforms: [1, "a b", ["plt_1"], "plt_3"] }, ["plt_3"]],
  ])("%j are %j", (claims, platforms) => {
    expect(platformsOf(claims, named())).toEqual(platforms);
  });

  it("are all where no claim is configured", () => {
    expect(platformsOf({ platforms: [] }, named({ platforms: undefined }))).toBe("all");
  });
});

it.each([
  [{ sub: "a" }, "a"],
  [{ sub: 1 }, undefined],
  [{ sub: "x".repeat(256) }, undefined],
  [{}, undefined],
])("the subject of %j is %j", (claims: object, subject) => {
  expect(subjectOf({ ...claims }, named())).toBe(subject);
});

it.each([
  [{ name: "Ada", email: "ada@example.com" }, "Ada"],
  [{ name: " ", preferred_username: "ada" }, "ada"],
  [{ name: 1, email: "ada@example.com" }, "ada@example.com"],
  [{ name: "Ada\u202e Lovelace\u0000", email: "ada@example.com" }, "Ada Lovelace"],
  [{ name: "\u2066Ada\u2069\r\n\tLovelace\u2028\u200f" }, "Ada Lovelace"],
  [{ name: "\u202e\u0000\u200b", preferred_username: "ada" }, "ada"],
  [{ name: `${"a".repeat(199)}🦊🦊` }, `${"a".repeat(199)}🦊`],
  [{}, null],
])("the name of %j is %j", (claims, name) => {
  expect(nameOf(claims)).toBe(name);
});

it.each([
  [1_000, new Date(1_000_000)],
  [2_100, null],
  ["1000", null],
  [Number.NaN, null],
])("auth_time %j is %j, because one in the future would stay recent", (auth_time, at) => {
  expect(authenticatedAt({ auth_time }, new Date(2_000_000))).toEqual(at);
});
