import { operatorScope, type Scope } from "@cardbridge/domain";
import type { Operation } from "@cardbridge/service";

/** All scopes of operators for a key that calls without a person. */
export const operatorScopes: Scope[] = operatorScope.options.filter((name) => name !== "ops.persons");

/** Whether an operation needs a person, which only test/service/persons.test.ts and its neighbours have. */
export const needsPerson = ({ id, actors }: Pick<Operation, "id" | "actors">): boolean =>
  id.startsWith("persons.") || actors.every((actor) => actor === "internal");
