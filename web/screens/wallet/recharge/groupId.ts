/** A voucher's id in groups of four, for comparison by eye. */
export function groupId(id: string): string {
  return id.match(/.{1,4}/g)?.join(" ") ?? "";
}
