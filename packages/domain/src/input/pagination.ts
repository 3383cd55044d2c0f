import * as z from "zod";

/** Bounds of the list's paging (interface, sections 4.1 and 8; gap G6). */
export const pageFields = {
  page: z
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .meta({ description: "Page number, from 1.", "x-decision": "G6" }),
  pageSize: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: "Number of items per page.", "x-decision": "G6" }),
};

/** The limit of an operator's list, which has no pages. */
export const listLimit = (fallback: number) => z.int().min(1).max(999).default(fallback);

export const moreThanLimit = z.boolean().meta({ description: "Whether there are more than the limit." });

/** The paginated structure (interface, section 2.2; gap G5). */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    page: z.int().meta({ description: "The page that this is, from 1.", "x-decision": "G5" }),
    pageSize: z.int().meta({ description: "How many items a page holds at most.", "x-decision": "G5" }),
    total: z
      .int()
      .meta({ description: "How many items all pages hold, after the filter.", "x-decision": "G5" }),
    totalPages: z
      .int()
      .meta({ description: "How many pages there are; 0 when there is no item.", "x-decision": "G5" }),
  });
}

/** What a source of pages returns: one page's items and the count behind all pages. */
export interface PageSlice<T> {
  items: T[];
  total: number;
}

/** Completes a slice with the request's page and pageSize. A page past the end has no items (gap G6). */
export function toPage<T>(
  { items, total }: PageSlice<T>,
  { page, pageSize }: { page: number; pageSize: number },
) {
  return { items, page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
}
