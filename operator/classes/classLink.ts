/** The URL of the link with this code. */
export function getClassLink(code: string): string {
  return `${window.location.origin}/home?invite=${code}`;
}

/** Where pupils join with a code; the code after `#` never reaches a server in an address. */
export function getJoinAddress(code: string | null): string {
  return `${window.location.origin}/class${code === null ? "" : `#${code}`}`;
}
