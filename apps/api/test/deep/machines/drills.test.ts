import { describe, it } from "vitest";
import { drills } from "./drills/index.ts";
import { runDrill } from "./run-drill.ts";

/** The calls that have to succeed in each phase. `npm run test:nightly -- machines` runs every drill with more. */
const size = 20;

describe("nothing acknowledged is lost, doubled or executed twice when", () => {
  it.for(drills.filter(({ short }) => short))("$title", (drill, context) => runDrill(drill, size, context));
});
