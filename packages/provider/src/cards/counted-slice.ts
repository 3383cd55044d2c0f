import { type Card, type CardListRequest, Failure, type PageSlice } from "@cardbridge/domain";

/** A page of a list without a total. */
export interface OpenPage {
  items: readonly Card[];
  hasMore: boolean;
}

/**
 * Reads one of the provider's pages, starting at 0.
 * @throws Failure as `CardProvider.listCards`.
 */
export type ReadPage = (page: number) => Promise<OpenPage>;

/** The limit of pages (G33): a longer list fails. */
const maxCountedPages = 20;

/**
 * Builds the requested page from a provider's list without a total, an order or a filter: reads all pages in sequence,
 * then filters, sorts newest first and by cardId, and counts.
 * @throws Failure CARD_LIST_TOO_LONG beyond `maxPages`, which also limits the calls; the errors of `read`.
 */
export async function countedSlice(
  read: ReadPage,
  { status, page, pageSize }: Pick<CardListRequest, "status" | "page" | "pageSize">,
  maxPages = maxCountedPages,
): Promise<PageSlice<Card>> {
  const cards = [...(await readAll(read, maxPages)).values()]
    .filter((card) => status === undefined || card.status === status)
    .sort(newestFirst);
  const start = (page - 1) * pageSize;
  return { items: cards.slice(start, start + pageSize), total: cards.length };
}

/** A card that is issued between two reads moves other cards to the next page, so a card may be read twice. */
async function readAll(read: ReadPage, maxPages: number): Promise<Map<string, Card>> {
  const cards = new Map<string, Card>();
  for (let page = 0; page < maxPages; page += 1) {
    const { items, hasMore } = await read(page);
    for (const card of items) cards.set(card.cardId, card);
    if (!hasMore) return cards;
  }
  throw new Failure("CARD_LIST_TOO_LONG");
}

/** Cards without a creation time come last. */
function newestFirst(one: Card, other: Card): number {
  const byTime = timeOf(other) - timeOf(one);
  return byTime === 0 || Number.isNaN(byTime) ? compare(one.cardId, other.cardId) : byTime;
}

const timeOf = ({ createdAt }: Card) =>
  createdAt === null ? Number.NEGATIVE_INFINITY : Date.parse(createdAt);
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
