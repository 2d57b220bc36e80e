/** The coin of the reward. */
export const inviteCoin = "pUSDT";
/** The reward of each of the two people: 100 pUSDT in minor units (docs/rules/invites.md). */
export const inviteReward = 100_000_000n;
/** Rewarded invitations per person. */
export const rewardedMax = 10;
/**
 * Real days in which a wallet is rewarded for joining once, and for `rewardedMax` invitations,
 * however often its account is deleted and made again.
 */
export const walletDays = 30;
/** Maximum length of the name a joined person shows to the inviter. */
export const nameMax = 30;
/**
 * The kind of the reward's journal. The journal id is derived from the invited person's id, so that
 * each person is rewarded for only once.
 */
export const rewardKind = "reward.invitation";

/** Answers to who sent them; `skip` is stored as skipped. */
export const inviteAnswers = ["yes", "no", "not_sure", "skip"] as const;
export type InviteAnswer = (typeof inviteAnswers)[number];

/**
 * The outcome of the code given at sign-in: `kept` attributes the sign-up to a person, `class` to a
 * class, whose link or code comes from a teacher and not from someone met online.
 */
export const inviteFates = ["none", "kept", "class", "unknown", "own", "not_new", "over"] as const;
export type InviteFate = (typeof inviteFates)[number];

/**
 * Checks whether `text` can be shown as a name: 1 to 30 characters after trimming, no control
 * characters. Empty removes the name.
 */
export function parseShownName(
  text: string,
): { ok: true; name: string | null } | { ok: false; error: "too_long" | "controls" } {
  const name = text.trim();
  if (Array.from(name).length > nameMax) return { ok: false, error: "too_long" };
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u.test(name)) return { ok: false, error: "controls" };
  return { ok: true, name: name === "" ? null : name };
}
