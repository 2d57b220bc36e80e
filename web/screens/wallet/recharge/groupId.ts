/** A voucher's id in groups of four, so that two of them can be compared by eye. */
export function groupId(id: string): string {
  return id.match(/.{1,4}/g)?.join(" ") ?? "";
}
