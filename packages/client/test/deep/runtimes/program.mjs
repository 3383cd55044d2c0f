import { journey } from "./journey.mjs";

// Node, Bun and Deno all have process.env, so the input is in the environment.
const result = await journey(JSON.parse(globalThis.process.env.JOURNEY));
globalThis.process.stdout.write(JSON.stringify(result));
