import { listOperations, listProcedures, type Operation } from "@cardbridge/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needsPerson } from "../support/operator-scopes.ts";
import { actors, dependent, ofStages, rightKey } from "./actors.ts";
import { type Binding, batches, bindings, operations } from "./calls.ts";
import { defectsOfKind, noDefect, ownDefects } from "./defects.ts";
import { cellOf, expectVerdicts } from "./matrix-call.ts";
import { type MatrixService, startMatrixService } from "./matrix-service.ts";

/**
 * Sends to every route and procedure each defect of its own input and each caller without its scope, and to one of each
 * kind every defect with every kind of caller. The interface's procedures are also called in a batch. A new operation is
 * included automatically.
 */

let service: MatrixService;
beforeAll(async () => {
  service = await startMatrixService();
});
afterAll(() => service.stop());

/** Queries run first, before the other platform's submissions. */
const ordered = [...bindings, ...batches.filter(({ operation }) => operation.documented)].sort((a, b) =>
  b.operation.kind.localeCompare(a.operation.kind),
);

/** Bindings of one kind read their key and their input in the same way, and reject each caller for one reason. */
const kindOf = ({ name, operation, reads }: Binding) => {
  const transport = /^tRPC batch|^tRPC|^REST/.exec(name)?.[0];
  return `${transport} ${operation.kind} in ${reads} for ${operation.reach !== undefined ? "operators" : "platforms"}`;
};
const kinds = Map.groupBy(ordered, kindOf);
const ofKinds = [...kinds].flatMap(([kind, [binding]]) => (binding ? [{ kind, binding }] : []));

it.each(ordered)(
  "$name rejects every wrong input with the right key and every caller without its scope, and writes nothing",
  (binding) => {
    const refused = dependent
      .map((actor) => cellOf(binding, actor, noDefect))
      .filter(({ verdict }) => verdict);
    return expectVerdicts(service, [
      ...ownDefects(binding).map((defect) => cellOf(binding, rightKey, defect)),
      ...refused,
    ]);
  },
);

describe.each(ofKinds)("a $kind ($binding.name)", ({ binding }) => {
  it.each(actors)("gives the expected response to $name", (actor) =>
    expectVerdicts(service, [cellOf(binding, actor, noDefect)]),
  );

  it.each([rightKey, ...ofStages])(
    "reports the first problem of the caller and of the call: $name",
    (actor) => {
      const defects = [...ownDefects(binding), ...defectsOfKind(binding)];
      return expectVerdicts(
        service,
        defects.map((defect) => cellOf(binding, actor, defect)),
      );
    },
  );
});

it("contains every procedure that needs no person, and a route or a procedure for every operation with keys", () => {
  const forKeys = ({ actors }: Operation) => actors.includes("internal") || actors.includes("platform");
  // A file is read at its own URL, and uploaded to an upload URL.
  const atUrls = ["files.read", "files.uploadToUrl"];
  const all = listOperations(operations).filter(
    (one) => forKeys(one) && !atUrls.includes(one.id) && !needsPerson(one),
  );
  const overTrpc = bindings.filter(({ name }) => name.startsWith("tRPC"));
  expect(overTrpc.map(({ operation }) => operation)).toEqual(
    listProcedures(operations).filter((one) => !needsPerson(one)),
  );
  expect(new Set(bindings.map(({ operation }) => operation.id))).toEqual(new Set(all.map(({ id }) => id)));
});
