/** The URL of the link with this code. */
export function getClassLink(code: string): string {
  return `${window.location.origin}/home?invite=${code}`;
}
