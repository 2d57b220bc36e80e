import { ApiError } from "#server/platform/apiError.ts";

/** Query parameters of a list (`paging` of api/shapes.ts). */
export interface Paging {
  page: number;
  page_size: number;
  /** The cursor returned with the first page: the number of its first row. */
  before?: string | undefined;
}

/**
 * Parses a cursor to its number; null without one. Throws `request.malformed` for any other text.
 */
export function parseCursor(before: string | undefined): bigint | null {
  if (before === undefined) return null;
  if (!/^[0-9]{1,18}$/.test(before)) throw new ApiError("request.malformed", { field: "before" });
  return BigInt(before);
}

/** The rows to read for a page: one more than it shows, which tells whether there are more. */
export function toSlice({ page, page_size: size, before }: Paging) {
  return { upToSeq: parseCursor(before), limit: size + 1, offset: (page - 1) * size };
}

/** Builds a page from the rows of its slice; `first` is the number of the list's first row. */
export function toPage<Item>(
  { page, page_size: size, before }: Paging,
  rows: readonly Item[],
  first: bigint | number | null,
) {
  return {
    items: rows.slice(0, size),
    page,
    page_size: size,
    has_more: rows.length > size,
    before: before ?? (first === null ? null : String(first)),
  };
}
