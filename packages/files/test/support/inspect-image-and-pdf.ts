import { createEvidenceRenderer, createFileInspector } from "../../src/index.ts";

// Inspects and renders an image and a PDF from base64 arguments, and prints their content types and sizes.
const renderer = createEvidenceRenderer();
const inspector = createFileInspector();
const [image = "", pdf = ""] = process.argv.slice(2);
const inspect = (text: string) =>
  inspector.inspect(Buffer.from(text, "base64"), "supporting_document", "plt_one");
const inspected = await Promise.all([inspect(image), inspect(pdf)]);
const watermark = { name: "Ada", personId: "per_1", time: "2026-01-31T12:40:00Z", auditId: "1" };
const rendered = await Promise.all(
  inspected.map((file) => renderer.render({ ...file, page: 1, watermark }, "key_1")),
);
const types = inspected.map(({ contentType }) => contentType);
const sizes = rendered.map(({ width, height }) => [width, height]);
process.stdout.write(JSON.stringify([...types, ...sizes]));
