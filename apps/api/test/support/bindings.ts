import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, listProcedures, type Operation } from "@cardbridge/service";
import { basePath, trpcPath } from "../../src/config/paths.ts";
import { namesInPath, type Route, restRoutes } from "../../src/http/rest/routes.ts";

type Input = Readonly<Record<string, unknown>>;

interface Request {
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

/** One operation over one transport. */
export interface Binding {
  operation: Operation;
  transport: "REST" | "tRPC";
  /** Whether a field of the input is always a string, because it is in the URL. */
  isText(field: string): boolean;
  /** Creates the request, without a key. */
  request(input: Input): Request;
}

const groups = createOperations(defaultPolicies);

/** Every operation over every transport that serves it. */
export const bindings: readonly Binding[] = [
  ...restRoutes(groups).map(
    (route): Binding => ({
      operation: route.operation,
      transport: "REST",
      isText: (field) => route.reads === "query" || namesInPath(route.path).includes(field),
      request: (input) => restRequest(route, input),
    }),
  ),
  ...listProcedures(groups).map(
    (operation): Binding => ({
      operation,
      transport: "tRPC",
      isText: () => false,
      request: (input) => trpcRequest(operation, input),
    }),
  ),
];

/** @throws Error where the transport does not have the operation. */
export function bindingOf(id: string, transport: Binding["transport"]): Binding {
  const found = bindings.find((binding) => binding.operation.id === id && binding.transport === transport);
  if (!found) throw new Error(`There is no ${id} over ${transport}.`);
  return found;
}

function restRequest({ method, path, reads }: Route, input: Input): Request {
  const named = new Set<string>();
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    named.add(name);
    return encodeURIComponent(String(input[name]));
  });
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)));
  const verb = method.toUpperCase();
  if (reads === "json") return { ...post(`${basePath}${target}`, rest), method: verb };
  if (reads === "form")
    return { path: `${basePath}${target}`, method: "POST", headers: {}, body: form(input) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
  const search = query.size > 0 ? `?${query}` : "";
  return { path: `${basePath}${target}${search}`, method: verb, headers: {} };
}

function form(input: Input): FormData {
  const fields = new FormData();
  for (const [name, value] of Object.entries(input)) {
    if (value instanceof Blob) fields.set(name, value, "file.jpg");
    else fields.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return fields;
}

function trpcRequest({ id, kind }: Operation, input: Input): Request {
  if (kind === "write") return post(`${trpcPath}/${id}`, input);
  const path = `${trpcPath}/${id}?input=${encodeURIComponent(JSON.stringify(input))}`;
  return { path, method: "GET", headers: {} };
}

function post(path: string, input: Input): Request {
  const headers = { "content-type": "application/json" };
  return { path, method: "POST", headers, body: JSON.stringify(input) };
}
