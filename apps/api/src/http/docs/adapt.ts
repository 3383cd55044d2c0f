import { demoKeys } from "../../admission/api-key.ts";

/** The address and the keys in the sources of the site. */
const developmentUrl = "http://127.0.0.1:3000";
const placeholders: readonly [key: string, placeholder: string][] = [
  [demoKeys.first, "YOUR_API_KEY"],
  [demoKeys.second, "YOUR_SECOND_API_KEY"],
  [demoKeys.app, "YOUR_INTERNAL_KEY"],
];

/** What the site's examples need to know of the service. */
export interface ServiceFacts {
  publicUrl: string;
  /** Whether the demo keys are valid. */
  demo: boolean;
}

/**
 * Makes the examples of a text fit this service: its address, and a placeholder for the key unless the demo key is
 * valid. The pages of operators and contributors keep the address, which is the one of a process on their machine.
 *
 * @param name the file's path in the site
 */
export function adapt(text: string, name: string, { publicUrl, demo }: ServiceFacts): string {
  if (/^(?:operate|contribute)\//.test(name)) return text;
  // The normal form contains no quotation marks and no angle brackets, so it is safe in HTML and JSON.
  const url = new URL(publicUrl).href.replace(/\/$/, "");
  const addressed = text.replaceAll(developmentUrl, () => url);
  if (demo) return addressed;
  return placeholders.reduce(
    (adapted, [key, placeholder]) => adapted.replaceAll(key, placeholder),
    addressed,
  );
}
