import { ApiError } from "#server/platform/apiError.ts";

/**
 * Which page of a list whose rows have a number (`seq`) is asked for. `before` is what the first
 * page answered.
 */
export interface SeqPageQuery {
  page: number;
  page_size: number;
  before?: string | undefined;
}

/** What the list is read with: one item more than the page has. Refuses `request.malformed`. */
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

/** The page as it is answered; `first`: the number of the first row that was read. */
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
