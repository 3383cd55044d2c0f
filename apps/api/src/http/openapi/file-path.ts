import { fileTypes } from "@cardbridge/domain";
import { readFile } from "@cardbridge/service";
import { filesPath } from "../../config/paths.ts";
import { allowance, errorResponses, pickHeaders } from "./responses.ts";
import { published } from "./schemas.ts";

const { description, ...schema } = published(readFile.input.shape.fileId);

/** The path of a file's URL, which is outside the table of routes, because its response is not JSON. */
export const filePath: Record<string, object> = {
  [`${filesPath}/{fileId}`]: {
    get: {
      operationId: readFile.id,
      summary: readFile.summary,
      description:
        "Reads the bytes of an uploaded file. The upload returned its URL.\n\n" +
        `Requires the scope \`${readFile.scopes.join("` or `")}\`.`,
      tags: ["Files"],
      "x-documented": readFile.documented,
      parameters: [
        {
          name: "fileId",
          in: "path",
          description,
          required: true,
          schema,
          example: readFile.example.input.fileId,
        },
        { $ref: "#/components/parameters/Platform" },
      ],
      responses: {
        200: {
          description: "The bytes of the file, as a download.",
          headers: pickHeaders(allowance),
          content: Object.fromEntries(
            fileTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]),
          ),
        },
        ...errorResponses(readFile, { method: "get", path: "", reads: "query" }),
      },
    },
  },
};
