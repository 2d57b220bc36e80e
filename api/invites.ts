import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, id, nothing, pageOf, paging, timeMs } from "#api/shapes.ts";
import { inviteAnswers } from "#core/invites/rules.ts";

/**
 * What became of an invitation's reward: `none` for a class link or an inviter who left, `waiting`
 * until the lesson is finished,
 * `rewarded`, or `over_limit` when the inviter had ten already.
 */
const rewardState = z.enum(["none", "waiting", "rewarded", "over_limit"]);

/** How this person joined, when it was by a code. The answer and the name are theirs to change. */
const invited = z.object({
  joined_at_ms: timeMs,
  /** `person`, `class`, or `left`: whoever invited has deleted their account. */
  by: z.enum(["person", "class", "left"]),
  /** Null: not asked yet. Nobody but this person is ever told. */
  answer: z.nullable(z.enum(inviteAnswers)),
  /** What the inviter sees; null: nothing. */
  name: z.nullable(z.string()),
  lesson_finished: z.boolean(),
  reward: rewardState,
});

export const inviteInfo = z.object({
  /** Ten digits and capitals; the link is `<origin>/home?invite=<code>`. */
  code: z.string(),
  reward: z.object({
    coin,
    /** To each of the two, once per invited person. */
    amount: decimal,
    /** Invitations of one person that are rewarded. */
    maximum: z.int(),
  }),
  joined: z.int(),
  finished: z.int(),
  rewarded: z.int(),
  rewarded_amount: decimal,
  invited: z.nullable(invited),
});

export const getInviteInfo = defineCall({
  method: "GET",
  path: "/api/user/getInviteInfo",
  summary: "This user's invite code, what it brought, and how the user joined",
  access: "user",
  input: nothing,
  answer: inviteInfo,
  errors: ["session.required"],
});

const teamMember = z.object({
  invitation_id: id,
  joined_at_ms: timeMs,
  /** As the person chose to be seen; null: they chose none. */
  name: z.nullable(z.string()),
  lesson_finished: z.boolean(),
  reward: rewardState,
  /** What this user got for it. */
  rewarded_amount: decimal,
});

export const getTeamList = defineCall({
  method: "GET",
  path: "/api/user/getTeamList",
  summary: "Who joined by this user's code, newest first",
  access: "user",
  input: z.object(paging),
  answer: pageOf(teamMember),
  errors: ["session.required"],
});

export const answerInvite = defineCall({
  method: "POST",
  path: "/api/user/answerInvite",
  summary:
    "Keeps what this user answered when asked whether someone met online sent them; sent again it replaces the answer",
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
