import * as z from "zod";
import { idPattern } from "./id-pattern.ts";

/** Bounds of the list's paging (interface, sections 4.1 and 8). */
export const pageFields = {
  page: z.int().min(1).max(10_000).default(1).meta({ description: "Page number, starting at 1." }),
  pageSize: z.int().min(1).max(100).default(20).meta({ description: "Number of items per page." }),
};

/** The position of a list after an entry. Opaque to callers. */
export const cursor = z.stringFormat("cursor", idPattern(64));

/** The limit of a list for operators, which has no pages. */
export const listLimit = (fallback: number) =>
  z.int().min(1).max(999).default(fallback).meta({ description: "The maximum number of entries." });

export const moreThanLimit = z
  .boolean()
  .meta({ description: "Whether more entries exist beyond the limit." });

/** The paginated structure (interface, section 2.2). */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item).meta({ description: "The items of this page." }),
    page: z.int().meta({ description: "The number of this page, starting at 1." }),
    pageSize: z.int().meta({ description: "The maximum number of items per page." }),
    total: z.int().meta({ description: "The number of matching items on all pages." }),
    totalPages: z.int().meta({ description: "The number of pages; 0 without items." }),
  });
}

/** One page of items, and the total of all pages. */
export interface PageSlice<T> {
  items: T[];
  total: number;
}

/** Adds the request's page and pageSize to a slice. A page past the end is empty. */
export function toPage<T>(
  { items, total }: PageSlice<T>,
  { page, pageSize }: { page: number; pageSize: number },
) {
  return { items, page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
}
