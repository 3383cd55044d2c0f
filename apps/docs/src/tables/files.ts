import { variables } from "@cardbridge/api/variables";
import {
  acceptsPdf,
  defaultPolicies,
  describeRequirements,
  type FilePurpose,
  fileTypes,
} from "@cardbridge/domain";
import { type ImageLayout, maxPixels } from "../../../../packages/files/src/inspection/image-limits.ts";
import { fileMessages } from "../../../../packages/files/src/inspection/violation.ts";
import { code, codes, tableOf } from "./rows.ts";

/** A row of each field of a submission that is a file. */
export function filePurposes(): string {
  const { fields } = describeRequirements(defaultPolicies, {});
  const all = fields.flatMap(({ fields: inner = [], ...field }) => [
    field,
    ...inner.map((each) => ({ ...each, name: `${field.name}[].${each.name}` })),
  ]);
  const rows = all.flatMap(({ name, filePurpose }) =>
    filePurpose === undefined ? [] : [[code(name), code(filePurpose), typesOf(filePurpose)]],
  );
  return tableOf(["Field of the submission", "`purpose`", "Types"], rows);
}

const typeNames = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/webp": "WebP",
  "application/pdf": "PDF",
} satisfies Record<(typeof fileTypes)[number], string>;

const typesOf = (purpose: FilePurpose) =>
  fileTypes
    .filter((type) => type !== "application/pdf" || acceptsPdf(purpose))
    .map((type) => typeNames[type])
    .join(", ");

const layouts: [name: string, layout: Omit<ImageLayout, "width" | "height">][] = [
  ["JPEG or PNG", { format: "jpeg" }],
  ["JPEG, progressive", { format: "jpeg", isProgressive: true }],
  ["PNG, interlaced", { format: "png", isProgressive: true }],
  ["WebP", { format: "webp" }],
  ["WebP with transparency or several frames", { format: "webp", hasAlpha: true }],
];

/** A row of each limit of a file. */
export function fileLimits(): string {
  const bytes = variables.shape.FILE_MAX_BYTES.parse(undefined);
  const rows = layouts.map(([name, layout]) => {
    const pixels = maxPixels({ ...layout, width: 0, height: 0 });
    return [name, `${pixels / 1_000_000} million pixels`];
  });
  return tableOf(
    ["File", "Limit"],
    [["Every file", `${bytes / 1024 ** 2} MiB, unless the operator configures another limit`], ...rows],
  );
}

/** The rules that a file may violate. Their messages are in the responses. */
export const fileRules = () => codes(Object.keys(fileMessages));
