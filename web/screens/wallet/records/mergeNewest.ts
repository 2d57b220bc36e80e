interface Page<Item> {
  items: readonly Item[];
  next: string | null;
}

/**
 * Merges a newer first page with the rows loaded before; where both have a row, the newer one wins.
 * If they do not overlap, too much has happened and only the newer page is kept.
 */
export function mergeNewest<Item extends { journal_id: string }>(
  loaded: Page<Item>,
  newest: Page<Item>,
): Page<Item> {
  const [top] = loaded.items;
  const meets = top && newest.items.some(({ journal_id: id }) => id === top.journal_id);
  if (!meets) return newest;
  const newestIds = new Set(newest.items.map(({ journal_id: id }) => id));
  const older = loaded.items.filter(({ journal_id: id }) => !newestIds.has(id));
  // Without older rows, the newer page has the cursor to continue from.
  return older.length === 0 ? newest : { items: [...newest.items, ...older], next: loaded.next };
}
