import { defaultPolicies, role, scope } from "@cardbridge/domain";
import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, it } from "vitest";
import * as z from "zod";
import { createOperations, listProcedures, type Operation } from "../src/index.ts";
import type { Ports } from "../src/operation/ports.ts";
import { codeOf, personCall } from "./support/calls.ts";
import { fakePorts } from "./support/fake-ports.ts";

/*
 * A person who may access some platforms: for every operation for operators, others' data looks as if it did not exist,
 * and nothing reads it.
 */
const theirs = "plt_01jexample0000000000000000";

/** The only statements that know no platform yet: they find the platform of a subject. */
const lookUps = ["record", "api_key", "proposal", "pause"].map(
  (of) => `select platform_of_${of}($1) as platform_id`,
);
const dialect = new PgDialect();

/** Ports that know the platform of every record, key, proposal and pause, and list every other use. */
function notingPorts() {
  const used: string[] = [];
  const { ports } = fakePorts();
  const note = (name: string, port: object): object =>
    new Proxy(port, {
      get: (target, method) => {
        used.push(`${name}.${String(method)}`);
        return Reflect.get(target, method);
      },
    });
  const noted = Object.entries(ports).map(([name, port]) => [
    name,
    typeof port === "object" ? note(name, port) : port,
  ]);
  const database = {
    // A refusal is audited under the caller's platform.
    asPlatform: async (platformId: string) => {
      if (platformId !== "internal") used.push(`rows of ${platformId}`);
    },
    asOperators: async (platforms: unknown) => void used.push(`rows of ${platforms}`),
    withoutPlatform: (work: (tx: object) => unknown) =>
      work({
        execute: async (statement: SQL) => {
          const { sql } = dialect.sqlToQuery(statement);
          if (!lookUps.includes(sql)) used.push(sql);
          return { rows: [{ platform_id: theirs }] };
        },
      }),
  };
  const { observer } = ports;
  return { used, ports: { ...Object.fromEntries(noted), observer, database } as unknown as Ports };
}

const operations = listProcedures(createOperations(defaultPolicies)).filter(({ actors }) =>
  actors.includes("internal"),
);
const fieldsOf = ({ input }: Operation) => (input instanceof z.ZodObject ? Object.keys(input.shape) : []);

/** Runs an operation's example about another platform, and returns its failure's code. */
async function resultOf(operation: Operation, more: object, platformId = "internal") {
  const { ports, used } = notingPorts();
  const person = { roles: role.options, platforms: ["plt_mine"] };
  const call = { ...personCall(scope.options, person), platformId };
  const input = { ...Object(operation.example.input), ...more };
  const code = await codeOf(operation.execute(ports, call, input));
  return { code, used };
}

/** What the first of these fields that an operation has results in. */
const notFound = [
  ["platformId", "PLATFORM_NOT_FOUND"],
  ["kycRecordId", "KYC_RECORD_NOT_FOUND"],
  ["proposalId", "PROPOSAL_NOT_FOUND"],
  ["pauseId", "PAUSE_NOT_FOUND"],
  ["keyId", "KEY_NOT_FOUND"],
] as const;
const onePlatform = operations.filter(
  ({ reach, platform }) => reach === "platform" || reach === "owner" || platform,
);
it.each(onePlatform)("$id is refused for another platform", async (operation) => {
  const fields = fieldsOf(operation);
  const expected = operation.platform
    ? "PLATFORM_NOT_FOUND"
    : notFound.find(([field]) => fields.includes(field))?.[1];
  const more = fields.includes("platformId") ? { platformId: theirs } : {};
  expect(await resultOf(operation, more, operation.platform ? theirs : "internal")).toEqual({
    code: expected,
    used: [],
  });
});

const service = operations.filter(({ reach }) => reach === "service");
it.each(service)("$id is refused, because it is about every platform", async (operation) => {
  expect(await resultOf(operation, {})).toEqual({ code: "SCOPE_MISSING", used: [] });
});

const several = operations.filter((operation) => fieldsOf(operation).includes("platformIds"));
it.each(several)("$id is refused if it names another platform", async (operation) => {
  const { code } = await resultOf(operation, { platformIds: ["plt_mine", theirs] });
  expect(code).toBe("PLATFORM_NOT_FOUND");
});

/** About the person, the service, or all that the person may access. */
const others = ["persons.me", "persons.colleagues", "pauses.list", "search.find", "service.status"];

it("every operation for operators is among them, except a few", () => {
  const covered = new Set([...onePlatform, ...service, ...several].map(({ id }) => id));
  const uncovered = operations.map(({ id }) => id).filter((id) => !covered.has(id));
  expect(uncovered.sort()).toEqual([...others].sort());
});
