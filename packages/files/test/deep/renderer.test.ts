import { beforeAll, expect, it } from "vitest";
import { testImage } from "../support/images.ts";
import { outcomeOf } from "../support/outcome.ts";
import { buildPdf } from "../support/pdfs.ts";
import { createTestRenderer } from "../support/renderer.ts";
import { jpegWithScans } from "../support/worst-images.ts";

const contentType = "application/pdf";
let photo: Buffer;
beforeAll(async () => {
  photo = await testImage().jpeg().toBuffer();
});

it("ends a process at its CPU limit, also in the thread of PDFium, and renders the next page", async () => {
  const { render } = createTestRenderer({ processes: 1, cpuMs: 1 });
  expect(await outcomeOf(render({ bytes: jpegWithScans(4_472, 1) }))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(render({ contentType, bytes: buildPdf() }))).toBe("SERVICE_UNAVAILABLE");
});

it("ends a process at its memory limit, renders the next page in a new one, and nothing after it is closed", async () => {
  const { render, close } = createTestRenderer({ processes: 1, rssMb: 170 });
  expect(await outcomeOf(render({ bytes: photo }))).toBe("accepted");
  expect(await outcomeOf(render({ bytes: jpegWithScans(4_472, 1) }))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(render({ bytes: photo }))).toBe("accepted");
  close();
  expect(await outcomeOf(render({ bytes: photo }))).toBe("SERVICE_UNAVAILABLE");
});
