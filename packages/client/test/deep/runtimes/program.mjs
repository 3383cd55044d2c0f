import { journey } from "./journey.mjs";

// The input is in the environment, which Node, Bun and Deno have alike.
const result = await journey(JSON.parse(globalThis.process.env.JOURNEY));
globalThis.process.stdout.write(JSON.stringify(result));
