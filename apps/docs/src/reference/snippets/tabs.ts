import type { Operation } from "../../document/operations.ts";
import { curlOf } from "./curl.ts";
import { pythonOf } from "./python.ts";
import { typescriptOf } from "./typescript.ts";

/** The example request of an operation as tabs. */
export function exampleTabs(operation: Operation): string {
  const tabs = [
    { language: "sh", label: "curl", code: curlOf(operation) },
    { language: "ts", label: "TypeScript", code: typescriptOf(operation) },
    { language: "python", label: "Python", code: pythonOf(operation) },
  ];
  return tabs
    .filter(({ code }) => code !== undefined)
    .map(({ language, label, code }) => `\`\`\`${language} tab="${label}"\n${code}\n\`\`\``)
    .join("\n\n");
}
