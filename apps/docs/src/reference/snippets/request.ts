import { developmentUrl } from "../../document/document.ts";
import type { Operation } from "../../document/operations.ts";

/** The demo key of a development service. The service replaces it in every page. */
export const developmentKey = "cb_test_DemoPlatformOne0000000003IZXaY";

/** The file that example uploads send. The site has it among its sample files. */
export const sampleFile = "front.jpg";

/** The URL of an operation's example request. */
export function exampleUrl({ path, parameters }: Operation): string {
  const inPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example)),
  );
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === "query" && parameter.example !== undefined)
      .map(({ name, example }): [string, string] => [name, String(example)]),
  );
  return `${developmentUrl}${inPath}${query.size > 0 ? `?${query}` : ""}`;
}

/** Whether an operation takes a file in a form. */
export const isUpload = ({ body }: Operation): boolean => body?.type === "multipart/form-data";

/** Whether an operation returns bytes instead of JSON. */
export const isDownload = ({ responses }: Operation): boolean =>
  !Object.keys(responses[200]?.content ?? responses[201]?.content ?? {}).includes("application/json");
