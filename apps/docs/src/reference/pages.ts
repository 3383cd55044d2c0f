import type { Page } from "../source/page.ts";
import { document } from "./document.ts";

interface OperationObject {
  operationId?: string;
  summary?: string;
  description?: string;
}

/** One page of each operation of the OpenAPI document. */
export function referencePages(): Page[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
  return operations.map(({ path, method, operation }) => ({
    slug: `reference/${operation.operationId}`,
    title: operation.summary ?? "",
    description: operation.summary ?? "",
    markdown: `\`${method.toUpperCase()} ${path}\`\n\n${operation.description ?? ""}\n`,
  }));
}
