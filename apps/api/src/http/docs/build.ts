import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { Failure } from "@cardbridge/domain";
import { getMimeType, mimes } from "hono/utils/mime";
import * as z from "zod";
import { type ConstantContent, constantContent } from "../middleware/constant-content.ts";
import { adapt, type ServiceFacts } from "./adapt.ts";

/** The hashes of the pages' inline scripts, for the policy. The build writes it, and it is not served. */
export const policyFile = "csp.json";
const missingPageFile = "404.html";
const searchFile = "search.json";
const policySchema = z.object({ scripts: z.array(z.string()) });
const types = { ...mimes, md: "text/markdown; charset=utf-8", tgz: "application/gzip" };

/** One build of the site. */
export interface Build {
  /** The files by their addresses below the site's: `platforms/kyc`, `platforms/kyc.md`; the first page is ``. */
  files: ReadonlyMap<string, ConstantContent>;
  /** The page for unknown addresses. */
  missingPage(): Promise<string>;
  /** The file of the search index. */
  searchIndex(): Promise<string>;
  /** The Content-Security-Policy of the pages. */
  policy: string;
}

/**
 * Reads which files a built site has. Each is read on its first request, and stays in memory.
 * @throws Failure SERVICE_UNAVAILABLE, here and on the first request of a file, while another build replaces this one
 */
export async function readBuild(folder: string, facts: ServiceFacts): Promise<Build> {
  const policyText = await readFile(join(folder, policyFile), "utf8").catch(failIfReplaced);
  const { scripts } = policySchema.parse(JSON.parse(policyText));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(failIfReplaced);
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length).replaceAll(sep, "/"))
    .filter((name) => name !== policyFile && name !== missingPageFile);
  const read = async (name: string) =>
    adapt(await readFile(join(folder, name), "utf8").catch(failIfReplaced), name, facts);
  const files = names.map((name): [string, ConstantContent] => {
    const type = getMimeType(name, types) ?? "application/octet-stream";
    const load = () => (isAdapted(name) ? read(name) : readFile(join(folder, name)).catch(failIfReplaced));
    return [addressOf(name), constantContent(type, load)];
  });
  return {
    files: new Map(files),
    missingPage: () => read(missingPageFile),
    searchIndex: () => read(searchFile),
    policy: policyWith(scripts),
  };
}

/** A build deletes the files of the one before. */
function failIfReplaced(error: NodeJS.ErrnoException): never {
  if (error.code !== "ENOENT") throw error;
  throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 3, cause: error });
}

/** The files that can have examples. */
const isAdapted = (name: string) => /\.(?:html|md|txt|json)$/.test(name);

const addressOf = (name: string) => (name === "index.html" ? "" : name.replace(/\.html$/, ""));

const policyWith = (scripts: readonly string[]) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(" "),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
  ].join("; ");
