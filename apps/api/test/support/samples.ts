import { readFileSync } from "node:fs";

const sample = (name: string) => readFileSync(new URL(`../../samples/${name}`, import.meta.url));

/** The project's sample files. */
export const sampleImage = sample("document-front.jpg");
export const sampleSelfie = sample("selfie.jpg");
export const samplePdf = sample("address-proof.pdf");
