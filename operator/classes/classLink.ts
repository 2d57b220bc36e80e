/** The URL of the link with this code. */
export function getClassLink(code: string): string {
  return `${window.location.origin}/home?invite=${code}`;
}

/**
 * The address where pupils join with a code; the code follows `#`, so that no server receives it.
 */
export function getJoinAddress(code: string | null): string {
  return `${window.location.origin}/class${code === null ? "" : `#${code}`}`;
}
