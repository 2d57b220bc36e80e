/** The coin of the reward. */
export const inviteCoin = "pUSDT";
/** Invitations of one person that are rewarded. */
export const rewardedMax = 10;
/** Characters of the name that a joined person lets the inviter see. */
export const nameMax = 30;
/**
 * The kind of the journal; its id is made of the invited person's, so that nobody is rewarded for
 * twice.
 */
export const rewardKind = "reward.invitation";

/** What somebody may answer when asked who sent them; `skip` is kept as skipped. */
export const inviteAnswers = ["yes", "no", "not_sure", "skip"] as const;
export type InviteAnswer = (typeof inviteAnswers)[number];

/** What became of the code that came with a sign-in. */
export const inviteFates = ["none", "kept", "unknown", "own", "not_new", "over"] as const;
export type InviteFate = (typeof inviteFates)[number];

/**
 * Whether `text` can be shown as a name: 1 to 30 characters after trimming, none of them a control.
 * Empty removes the name.
 */
export function readShownName(
  text: string,
): { ok: true; name: string | null } | { ok: false; reason: "too_long" | "controls" } {
  const name = text.trim();
  if (Array.from(name).length > nameMax) return { ok: false, reason: "too_long" };
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u.test(name)) return { ok: false, reason: "controls" };
  return { ok: true, name: name === "" ? null : name };
}
