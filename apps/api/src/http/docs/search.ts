import type MiniSearch from "minisearch";
import type { Options, SearchResult } from "minisearch";
import { stemmer } from "stemmer";

/* The search of the documentation, which its build writes, and its pages and agents read. It runs in browsers too. */

/** A section of a page in the search index. */
export interface IndexedSection {
  /** Its address: `/docs/platforms/kyc#fields`. */
  id: string;
  /** The page's title. */
  title: string;
  /** The section's heading. It is empty for the part above the first heading. */
  heading: string;
  text: string;
  /** The start of the text, or the page's description. It is what a result shows. */
  excerpt: string;
}

const wordsOf = (text: string) => text.toLowerCase().split(/[\n\r\p{Z}\p{P}]+/u);

/** The words of a question that no section is about. */
const questionWords = new Set(
  wordsOf(
    `a about all am an and any are as at be been but by can could did do does doesn doing don for from get gets give go
    got had has have he her him his how i if in into is isn it its just know let like long make me mean means much my
    need no not of on one or our out please she should so some someone something tell than that the their them then
    there these they thing this to up us use used using want was we were what when where which who whom whose why will
    with without would you your`,
  ),
);

/** What people call the things of the pages: the first word of a line is that of the pages. */
const synonyms = new Map(
  `image picture photo photograph scan snapshot
  erase erasure delete remove forget forgotten gdpr wipe purge
  webhook callback notification notify notified push
  user customer member applicant cardholder enduser
  person people employee staff colleague
  platform tenant partner
  client library sdk
  retry resend repeat again twice duplicate
  limit throttle quota 429 throttling ddos flood
  sandbox staging playground mock simulate
  development dev local localhost laptop
  verification kyc identity onboarding verify onboard
  submission submit register apply
  decision decide
  error failure problem exception fail failed broken
  reject decline deny denied refuse
  expire expiry expiration outdated
  retention retain keep kept
  store stored storage
  subscription subscribe realtime stream websocket socket sse
  live production prod launch
  resubmission resubmit
  version breaking compatible compatibility semver
  page pagination paginate cursor
  list fetch retrieve
  change edit modify
  file attachment document passport
  start tutorial
  restore recover recovery disaster dr
  upgrade update migrate release rollout
  back rollback revert downgrade
  install deploy deployment setup
  compose docker container
  kubernetes k8s helm
  sizing capacity cpu core
  memory ram
  cell shard
  standby replica failover ha
  proxy nginx ingress
  alarm alert monitoring prometheus grafana
  unavailable down outage offline unreachable
  unresolved undecided stuck
  pause suspend halt
  block ban deactivate offboard
  revoke revocation
  leak compromise stolen expose
  log logging logs
  audit auditor
  sign login logon sso
  scope permission privilege
  unauthenticated unauthorized 401
  forbidden 403
  rotate replace swap
  request asked asks ask
  signature hmac
  delivery deliver
  response respond reply
  status state result outcome
  card pan
  mail email
  age underage
  required mandatory compulsory obligatory
  large big huge
  several multiple
  timer cron schedule
  legal litigation lawsuit court
  agent ai llm claude chatgpt copilot
  timeout deadline
  connection disconnect reconnect
  birth dob birthday
  vulnerability cve exploit pentest
  node nodejs`
    .split("\n")
    .flatMap((line) => {
      const [first = "", ...others] = line.trim().split(" ");
      return others.map((other) => [stemmer(other), stemmer(first)] as const);
    }),
);

/** A word as the index has it: its stem, or that of the word that the pages use; undefined for one without a meaning. */
function processTerm(word: string): string | null {
  const term = word.toLowerCase();
  if (questionWords.has(term)) return null;
  const stem = stemmer(term);
  return synonyms.get(stem) ?? stem;
}

/** The last part of a page's address, which is the name of an operation on its page, also as one word: `kyc.get kycget`. */
function nameOf(id: string): string {
  const name = id.split("#", 1)[0]?.split("/").at(-1) ?? "";
  return `${name} ${name.replaceAll(/[.-]/g, "")}`;
}

/** How the index is written and read. */
export const indexOptions: Options<IndexedSection> = {
  fields: ["name", "title", "heading", "text"],
  storeFields: ["title", "heading", "excerpt"],
  processTerm,
  extractField: (section, field) =>
    field === "name" ? nameOf(section.id) : section[field as keyof IndexedSection],
};

/** Contributors find the reasons; the changelog and the decisions say why, and not what to do. */
const isBackground = (id: string) => /^\/docs\/(?:contribute\/|platforms\/(?:decisions|changelog))/.test(id);

/** The part of the site with a page. The first page and the reference are of the platforms. */
const partOf = (id: string) => /^\/docs\/(apps|operate|contribute)\//.exec(id)?.[1] ?? "platforms";

const maxTerms = 8;

/**
 * The sections that match a question as people phrase it, best first: those with more of its words, and with the words in a
 * title or a heading. A mistyped word matches similar ones if nothing has the word itself.
 *
 * @param reader the part of the site from which somebody asks, such as `platforms`: its sections come first. Only
 * contributors get what is written for them.
 */
export function findSections(index: MiniSearch, question: string, reader: string): SearchResult[] {
  // A letter alone is the rest of `e-mail` or of `user's`.
  const words = wordsOf(question).filter((word) => word.length > 1);
  const terms = [...new Set(words.filter((word) => processTerm(word) !== null))].slice(0, maxTerms);
  if (terms.length === 0) return [];
  // Two words may be one on a page, such as `back up`.
  const pairs = words.slice(1, 2 * maxTerms).map((word, at) => `${words[at]}${word}`);
  const search = (fuzzy: boolean) =>
    index.search([...pairs, ...terms].join(" "), {
      boost: { name: 4, title: 4, heading: 4 },
      combineWith: "OR",
      // A short prefix or a similar short word would match most of the index, and block the event loop.
      prefix: (term, at, all) => at === all.length - 1 && term.length > 3,
      fuzzy: (term, at, all) => fuzzy && at >= all.length - terms.length && term.length > 4 && 0.2,
      maxFuzzy: 2,
      filter: ({ id }) => reader === "contribute" || !isBackground(String(id)),
      // A guide says more than the reference of an operation.
      boostDocument: (id) =>
        (partOf(String(id)) === reader ? 4 : 1) * (String(id).startsWith("/docs/reference/") ? 0.5 : 1),
    });
  const exact = search(false);
  const results = exact.length > 0 ? exact : search(true);
  return results
    .map((result) => ({ ...result, score: result.score * new Set(result.queryTerms).size ** 1.5 }))
    .sort((a, b) => b.score - a.score);
}
