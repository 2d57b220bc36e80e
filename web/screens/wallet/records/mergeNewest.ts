interface Page<Item> {
  items: readonly Item[];
  next: string | null;
}

/**
 * Puts a newer first page before what was loaded: what both hold is taken from the newer one. When
 * they do not meet, so much has happened that only the newer one counts.
 */
export function mergeNewest<Item extends { journal_id: string }>(
  loaded: Page<Item>,
  newest: Page<Item>,
): Page<Item> {
  const [top] = loaded.items;
  const meets = top && newest.items.some(({ journal_id: id }) => id === top.journal_id);
  if (!meets) return newest;
  const known = new Set(newest.items.map(({ journal_id: id }) => id));
  const older = loaded.items.filter(({ journal_id: id }) => !known.has(id));
  // With nothing older loaded the newer page says where to go on.
  return older.length === 0 ? newest : { items: [...newest.items, ...older], next: loaded.next };
}
