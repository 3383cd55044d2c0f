import { createFileInspector } from "../../src/index.ts";

// Inspects a picture and a PDF, given in base64, and says what they are.
const inspector = createFileInspector();
const [picture = "", pdf = ""] = process.argv.slice(2);
const inspect = (text: string) => inspector.inspect(Buffer.from(text, "base64"), "supporting_document");
const inspected = await Promise.all([inspect(picture), inspect(pdf)]);
process.stdout.write(JSON.stringify(inspected.map(({ contentType }) => contentType)));
