import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, id, nothing, pageSchema, paging, timeMs } from "#api/shapes.ts";
import { inviteAnswers } from "#core/invites/rules.ts";

/**
 * State of an invitation's reward: `none` for a class link or an inviter who left, `waiting` until
 * the lesson is finished, `rewarded`, or `over_limit` if the inviter already had ten.
 */
const rewardState = z.enum(["none", "waiting", "rewarded", "over_limit"]);

/** How this person joined, if by a code. They may change the answer and the name. */
const invitedPerson = z.object({
  joined_at_ms: timeMs,
  /** `person`, `class`, or `left`: the inviter has deleted their account. */
  by: z.enum(["person", "class", "left"]),
  /** Null if not asked yet. Visible to this person only. */
  answer: z.nullable(z.enum(inviteAnswers)),
  /** The name that the inviter sees; null if none. */
  name: z.nullable(z.string()),
  lesson_finished: z.boolean(),
  reward: rewardState,
});

export const inviteInfo = z.object({
  /** Ten digits and capitals; the link is `<origin>/home?invite=<code>`. */
  code: z.string(),
  reward: z.object({
    coin,
    /** Paid to each of the two, once per invited person. */
    amount: decimal,
    /** How many invitations per person are rewarded. */
    maximum: z.int(),
  }),
  joined: z.int(),
  finished: z.int(),
  rewarded: z.int(),
  rewarded_amount: decimal,
  invited: z.nullable(invitedPerson),
});

export const getInviteInfo = defineCall({
  method: "GET",
  path: "/api/user/getInviteInfo",
  summary: "The user's invite code, what it earned, and how the user joined",
  access: "user",
  input: nothing,
  answer: inviteInfo,
  errors: ["session.required"],
});

const teamMember = z.object({
  invitation_id: id,
  joined_at_ms: timeMs,
  /** The name the person chose to show; null if none. */
  name: z.nullable(z.string()),
  lesson_finished: z.boolean(),
  reward: rewardState,
  /** The amount that this user received for it. */
  rewarded_amount: decimal,
});

export const getTeamList = defineCall({
  method: "GET",
  path: "/api/user/getTeamList",
  summary: "People who joined with this user's code, newest first",
  access: "user",
  input: z.object(paging),
  answer: pageSchema(teamMember),
  errors: ["session.required"],
});

export const answerInvite = defineCall({
  method: "POST",
  path: "/api/user/answerInvite",
  summary:
    "Stores the user's answer to whether someone they met online sent them; a later answer replaces it",
  access: "user",
  input: z.object({ answer: z.enum(inviteAnswers) }),
  answer: z.object({ answer: z.enum(inviteAnswers) }),
  errors: ["session.required", "invites.not_invited"],
});

export const setInviteName = defineCall({
  method: "POST",
  path: "/api/user/setInviteName",
  summary:
    "Sets the name that this user's inviter sees, up to 30 characters; an empty one removes it",
  access: "user",
  input: z.object({ name: z.string().check(z.maxLength(200)) }),
  answer: z.object({ name: z.nullable(z.string()) }),
  errors: [
    "session.required",
    "invites.not_invited",
    "invites.name_too_long",
    "invites.name_unreadable",
  ],
});

export const calls = { getInviteInfo, getTeamList, answerInvite, setInviteName };
