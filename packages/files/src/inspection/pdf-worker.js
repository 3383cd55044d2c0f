import { parentPort, workerData } from "node:worker_threads";
import { ruleOfObjects } from "./pdf/objects.js";
import { ruleOfText } from "./pdf/text.js";

// The thread of pdf.ts. It posts the rule that the PDF violates, or null. It is JavaScript so that its name is the same
// in the sources and in a bundle.
const bytes = Buffer.from(workerData);
parentPort?.postMessage(ruleOfText(bytes) ?? (await ruleOfObjects(bytes)));
