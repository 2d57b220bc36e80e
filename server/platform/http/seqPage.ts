import { ApiError } from "#server/platform/apiError.ts";

/**
 * The requested page of a list whose rows have a number (`seq`). `before` is the cursor returned
 * with the first page.
 */
export interface SeqPageQuery {
  page: number;
  page_size: number;
  before?: string | undefined;
}

/**
 * Parameters to read the list with: one item more than the page has. Throws `request.malformed`.
 */
export function readSeqPage({ page, page_size: size, before }: SeqPageQuery) {
  if (before !== undefined && !/^[0-9]{1,18}$/.test(before)) {
    throw new ApiError("request.malformed", { field: "before" });
  }
  return {
    upToSeq: before === undefined ? null : BigInt(before),
    limit: size + 1,
    offset: (page - 1) * size,
  };
}

/** Builds the page for the answer; `first`: the number of the first row read. */
export function seqPageView<Item>(
  { page, page_size: size, before }: SeqPageQuery,
  { items, first }: { items: Item[]; first: bigint | null },
) {
  return {
    items: items.slice(0, size),
    page,
    page_size: size,
    has_more: items.length > size,
    before: before ?? (first === null ? null : String(first)),
  };
}
