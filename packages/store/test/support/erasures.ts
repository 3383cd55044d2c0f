import { type Database, erasures } from "../../src/index.ts";
import { memoryBlobs } from "./a-file.ts";
import { keys } from "./world.ts";

/** Erases users of a database whose log of erasures is in memory. */
export const testErasures = (database: Database, { blobs } = memoryBlobs()) =>
  erasures(database, { keys, blobs });
