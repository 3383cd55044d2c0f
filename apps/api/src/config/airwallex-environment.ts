import type { Variables } from "@cardbridge/node";

/** A demo environment of Airwallex is for tests, and its other environment for real people (gap G36). */
export function wrongAirwallexUrls({ ENVIRONMENT: environment = "test", ...urls }: Variables): string[] {
  return ["PROVIDER_URL", "PROVIDER_FILES_URL"].flatMap((name) => {
    const url = urls[name];
    if (url === undefined || !URL.canParse(url)) return [];
    const { hostname } = new URL(url);
    if (!hostname.endsWith(".airwallex.com")) return [];
    const actual = hostname.includes("demo") ? "test" : "live";
    if (actual === environment) return [];
    return [`${name} is of Airwallex's ${actual} environment, and ENVIRONMENT is ${environment}.`];
  });
}
