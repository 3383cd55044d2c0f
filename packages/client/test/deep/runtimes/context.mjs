import { journey } from "./journey.mjs";

globalThis.result = journey(globalThis.input);
