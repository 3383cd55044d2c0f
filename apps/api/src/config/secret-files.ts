import { readFileSync } from "node:fs";
import { errorCode } from "@cardbridge/domain";
import { secretVariables } from "./variables.ts";

/** The environment's variables. An empty variable counts as absent. */
export type Variables = Readonly<Record<string, string | undefined>>;

interface ReadVariables {
  /** The environment's variables, with secrets from files. */
  variables: Variables;
  /** Errors of secret files, without their content. */
  reasons: string[];
}

/** Reads the environment and its secret files. A trailing line break in a file is ignored. */
export function readVariables(environment: NodeJS.ProcessEnv): ReadVariables {
  const variables: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ""),
  );
  const reasons: string[] = [];
  for (const name of secretVariables) {
    const file = variables[`${name}_FILE`];
    if (file === undefined) continue;
    if (variables[name] !== undefined) {
      reasons.push(`${name} and ${name}_FILE are both set: remove one.`);
      continue;
    }
    try {
      const secret = readFileSync(file, "utf8").replace(/\r?\n$/, "");
      if (secret === "") reasons.push(`${name}_FILE is empty.`);
      else variables[name] = secret;
    } catch (error) {
      reasons.push(`${name}_FILE cannot be read (${errorCode(error)}).`);
    }
  }
  return { variables, reasons };
}
