/**
 * Hosts of messengers and payment services. Moving support to a messenger is how fraudsters lead
 * people away from anything that can be checked, so no published link or text may name one. A host
 * also matches all its subdomains.
 */
export const messengerHosts = [
  "wa.me",
  "whatsapp.com",
  "t.me",
  "telegram.me",
  "telegram.org",
  "telegram.dog",
  "line.me",
  "lin.ee",
  "weixin.qq.com",
  "wechat.com",
  "work.weixin.qq.com",
  "qq.com",
  "signal.me",
  "signal.group",
  "discord.com",
  "discord.gg",
  "discordapp.com",
  "m.me",
  "messenger.com",
  "viber.com",
  "vb.me",
  "skype.com",
  "join.skype.com",
  "kik.me",
  "kakao.com",
  "zalo.me",
  "snapchat.com",
  "threema.id",
  "wire.com",
  "imo.im",
  "icq.im",
  "slack.com",
  "matrix.to",
  "simplex.chat",
  "session.org",
  "band.us",
  "vk.me",
] as const;
export const payingHosts = [
  "paypal.me",
  "paypal.com",
  "cash.app",
  "venmo.com",
  "revolut.me",
  "wise.com",
  "buy.stripe.com",
  "checkout.stripe.com",
  "gofundme.com",
  "ko-fi.com",
  "swish.nu",
  "satispay.com",
  "lydia-app.com",
  "twint.ch",
] as const;

export type LinkError = "link_not_https" | "messenger" | "payment_link";

function isBelow(host: string, hosts: readonly string[]): boolean {
  return hosts.some((text) => host === text || host.endsWith(`.${text}`));
}

/** Why a link to this host is refused; null if allowed. */
export function findHostProblem(host: string): Exclude<LinkError, "link_not_https"> | null {
  const normalized = host
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^www\./, "");
  if (isBelow(normalized, messengerHosts)) return "messenger";
  return isBelow(normalized, payingHosts) ? "payment_link" : null;
}

const httpsForm =
  /^https:\/\/([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)(?::\d{1,5})?(?:[/?#][!-~]*)?$/i;

/**
 * Parses an https URL that a person may be sent to: its host, or the reason for refusing it. No
 * user names and no IP addresses.
 */
export function parseLink(
  url: string,
): { ok: true; host: string } | { ok: false; error: LinkError } {
  const host = httpsForm.exec(url)?.[1]?.toLowerCase();
  if (!host || /^[\d.]+$/.test(host)) return { ok: false, error: "link_not_https" };
  const error = findHostProblem(host);
  return error ? { ok: false, error } : { ok: true, host };
}
