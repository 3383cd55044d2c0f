import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { ApiError } from "../api-error.ts";
import type { Dependencies, Env, RequestContext } from "../http/context.ts";
import { answer } from "../http/json.ts";
import { allowQuery } from "../http/page.ts";
import { sha256Of, typeOf } from "../records/file.ts";

const maxBytes = 20 * 1024 * 1024;
const maxCharacters = 50;

/** `POST /api/v1/files/upload`: each upload creates a new file, also for equal bytes. */
export function fileRoutes({ store, now }: Dependencies): Hono<Env> {
  return new Hono<Env>().post("/api/v1/files/upload", async (context) => {
    allowQuery(context, ["notes"]);
    const notes = context.req.query("notes");
    if (notes && notes.length > maxCharacters) throw invalid("notes", "is too long");
    const { file, bytes } = await readFile(context);
    const type = typeOf(bytes);
    if (!type) throw invalid("file", "has a type that is not supported");

    const stored = {
      file_id: Buffer.from(`${randomUUID()},|,hongkong,|,${file.name}`).toString("base64url"),
      filename: file.name,
      ...(notes && { notes }),
      size: bytes.length,
      created: Math.floor(now() / 1_000),
    };
    store.state.files.push({ ...stored, type, sha256: sha256Of(bytes) });
    store.save();
    return answer(context, "FileInformation", { ...stored, object_type: "file" }, 201);
  });
}

async function readFile(context: RequestContext): Promise<{ file: File; bytes: Buffer }> {
  const headers = { "content-type": context.req.header("content-type") ?? "" };
  const form = await new Response(new Uint8Array(context.get("body")), { headers })
    .formData()
    .catch(() => undefined);
  if (!form) throw invalid("file", "should be in a form of the type multipart/form-data");
  const unknown = [...form.keys()].find((name) => name !== "file");
  if (unknown !== undefined) throw invalid(unknown, "is not a field of the form");
  const [file, ...others] = form.getAll("file");
  if (!(file instanceof File) || others.length > 0) throw invalid("file", "should be one file");
  if (file.name.length > maxCharacters) throw invalid("file", "has a name that is too long");
  if (file.size > maxBytes) throw invalid("file", "should have at most 20 MB");
  return { file, bytes: Buffer.from(await file.arrayBuffer()) };
}

function invalid(source: string, fault: string): ApiError {
  return new ApiError("invalid_argument", `${source} ${fault}`, source);
}
