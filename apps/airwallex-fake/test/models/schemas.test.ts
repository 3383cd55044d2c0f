import { expect, test } from "vitest";
import { models } from "../../src/models/models.ts";
import { sdkSchemas } from "../support/sdk-schemas.ts";

test("the schemas match the SDK's models", async () => {
  const schemas = `${JSON.stringify(sdkSchemas(models), undefined, 2)}\n`;
  await expect(schemas).toMatchFileSnapshot("../../src/models/schemas.json");
});
