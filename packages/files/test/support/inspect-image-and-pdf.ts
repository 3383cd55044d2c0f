import { createFileInspector } from "../../src/index.ts";

// Inspects an image and a PDF from base64 arguments and prints their content types.
const inspector = createFileInspector();
const [image = "", pdf = ""] = process.argv.slice(2);
const inspect = (text: string) =>
  inspector.inspect(Buffer.from(text, "base64"), "supporting_document", "plt_one");
const inspected = await Promise.all([inspect(image), inspect(pdf)]);
process.stdout.write(JSON.stringify(inspected.map(({ contentType }) => contentType)));
