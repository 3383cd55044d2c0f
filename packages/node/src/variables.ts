import { readFileSync } from "node:fs";
import { closestMatch } from "leven";
import * as z from "zod";

/** The environment's variables. An empty variable counts as absent. */
export type Variables = Readonly<Record<string, string | undefined>>;

interface ReadVariables {
  /** The environment's variables, with secrets from files. */
  variables: Variables;
  /** Errors of secret files, without their content, and of names that are not used. */
  reasons: string[];
}

/** A secret. It can be in a file whose path is in the variable `<name>_FILE`. */
export const secret = <T extends z.ZodType>(schema: T): T => schema.meta({ secret: true });

/** The names of a schema's variables with secrets. */
export function secretNames({ shape }: z.ZodObject): string[] {
  return Object.entries(shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodType && schema.meta()?.secret === true ? [name] : [],
  );
}

/**
 * Reads the environment and its secret files. A trailing line break in a file is ignored.
 *
 * @param removed the names of former variables, each with what to do instead
 */
export function readVariables(
  environment: NodeJS.ProcessEnv,
  schema: z.ZodObject,
  removed: Readonly<Record<string, string>> = {},
): ReadVariables {
  const variables: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ""),
  );
  const files = secretNames(schema).map((name) => [name, `${name}_FILE`] as const);
  const known = [...Object.keys(schema.shape), ...files.map(([, file]) => file)];
  const reasons = unusedNames(Object.keys(variables), known, removed);
  for (const [name, fileName] of files) {
    const file = variables[fileName];
    if (file === undefined) continue;
    if (variables[name] !== undefined) {
      reasons.push(`${name} and ${fileName} are both set: remove one.`);
      continue;
    }
    try {
      const content = readFileSync(file, "utf8").replace(/\r?\n$/, "");
      if (content === "") reasons.push(`${fileName} is empty.`);
      else variables[name] = content;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : error;
      reasons.push(`${fileName} cannot be read (${String(code)}).`);
    }
  }
  return { variables, reasons };
}

/** The shortest name that is compared with known ones. Shorter names of other programs are too similar. */
const minLength = 8;

/** A first word of so many known names is ours. OpenTelemetry's names are also those of other programs. */
const minOwned = 4;
const shared = "OTEL";

/**
 * Former names, names that are probably mistyped ones, and unknown names that begin as several known ones. Other names of
 * other programs are no concern.
 */
function unusedNames(
  names: readonly string[],
  known: readonly string[],
  removed: Readonly<Record<string, string>>,
): string[] {
  const firstWords = known.map(firstWordOf);
  const isOurs = (name: string) =>
    firstWordOf(name) !== shared &&
    firstWords.filter((word) => word === firstWordOf(name)).length >= minOwned;
  return names.flatMap((name) => {
    if (known.includes(name)) return [];
    const former = removed[name.replace(/_FILE$/, "")];
    if (former !== undefined) return [`${name} is not used: ${former}.`];
    if (name.length < minLength) return [];
    const near = closestMatch(name, known, { maxDistance: name.length < 12 ? 1 : 2 });
    if (near !== undefined) return [`${name} is not known: set ${near}, or remove it.`];
    return isOurs(name) ? [`${name} is not known: remove it.`] : [];
  });
}

const firstWordOf = (name: string) => name.split("_", 1)[0];
