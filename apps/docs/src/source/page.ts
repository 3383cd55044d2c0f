/** A page of the site, before it is rendered. */
export interface Page {
  /** Its address below /docs, without a slash at either end: `platforms/kyc`. The overview of the site is empty. */
  slug: string;
  title: string;
  /** One or two sentences in plain text, for search results and llms.txt. */
  description: string;
  /** Markdown without the title. Links to other pages are `/docs/<slug>`. */
  markdown: string;
}
