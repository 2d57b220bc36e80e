/**
 * A target outside this site: `web` is encrypted, `plain` (http) is not. `name` is the host or
 * phone number as displayed.
 */
export interface Target {
  kind: "web" | "plain" | "phone";
  href: string;
  name: string;
}

/**
 * Parses an address that may have been typed by anyone. Null for anything but a web address or
 * telephone number: scripts, files, messengers, and addresses with a user name, which are written
 * to be misread.
 */
export function parseTarget(text: string): Target | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (url.protocol === "tel:") {
    const number = decodeURIComponent(url.pathname);
    return /^[+#*0-9][-0-9 ()]{1,20}$/.test(number)
      ? { kind: "phone", href: url.href, name: number }
      : null;
  }
  if (url.username !== "" || url.password !== "" || url.hostname === "") return null;
  if (url.protocol === "https:") return { kind: "web", href: url.href, name: url.host };
  return url.protocol === "http:" ? { kind: "plain", href: url.href, name: url.host } : null;
}
