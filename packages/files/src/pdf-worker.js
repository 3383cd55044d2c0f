import { parentPort, workerData } from "node:worker_threads";
import { ruleOfObjects } from "./pdf/objects.js";
import { ruleOfText } from "./pdf/text.js";

// A thread of pdf.ts: answers with the rule that the PDF breaks, or null. JavaScript, as Node runs it unbuilt.
const bytes = Buffer.from(workerData);
parentPort?.postMessage(ruleOfText(bytes) ?? (await ruleOfObjects(bytes)));
