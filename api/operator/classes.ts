import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { problemNames } from "#api/operator/publishing.ts";
import { postLanguage } from "#api/publishing.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";
import { noticeTypes } from "#core/publishing/bodies.ts";
import { signUpStates } from "#core/session/signUp.ts";

/** Calls for teaching a class. There is no list of results and no list of people. */
const commonErrors = ["session.required", "operator.required", "operator.not_permitted"] as const;
const raised = [...commonErrors, "operator.raise_required"] as const;

const signUpState = z.enum(signUpStates);

const classLink = z.object({
  class_id: id,
  code: z.string(),
  /** Null if its author has deleted their account. */
  label: z.nullable(z.string()),
  made_at_ms: timeMs,
  expires_at_ms: timeMs,
  closed_at_ms: z.nullable(timeMs),
  limit: z.int(),
  joined: z.int(),
  /** How many of those who joined have finished the first lesson. */
  finished: z.int(),
});
export type ClassLinkView = z.infer<typeof classLink>;

/** A pause that is announced or in effect. */
const pause = z.object({
  ordinal: z.int(),
  /** World time, a whole second, from which world time is paused. */
  at_ms: timeMs,
});

export const getClass = defineCall({
  method: "GET",
  path: "/api/operator/class/getClass",
  summary: "Operator: class links with how many joined, and the switches of this instance",
  access: "operator",
  permission: "class.links",
  input: nothing,
  answer: z.object({
    links: z.array(classLink),
    contracts_on: z.boolean(),
    sign_up: signUpState,
    clock: z.object({
      /** World time. */
      now_ms: timeMs,
      speed: z.int(),
      /** False for a live market, with a public beacon, and after the end of a recording. */
      can_pause: z.boolean(),
      pause: z.nullable(pause),
    }),
    now_ms: timeMs,
  }),
  errors: [...commonErrors],
});

export const makeClassLink = defineCall({
  method: "POST",
  path: "/api/operator/class/makeLink",
  summary:
    "Operator: creates an invitation link for a class. It belongs to nobody, earns nothing and only counts who joined",
  access: "operator",
  permission: "class.links",
  input: z.object({
    /** 1 to 60 characters after trimming; only operators see it. */
    label: z.string().check(z.maxLength(240)),
    limit: z.int().check(z.minimum(1), z.maximum(500)),
    /** Real time, in the future and at most a year ahead. */
    expires_at_ms: timeMs,
  }),
  answer: z.object({ link: classLink }),
  errors: [...commonErrors, "class.label_missing", "class.expiry_wrong"],
});

export const closeClassLink = defineCall({
  method: "POST",
  path: "/api/operator/class/closeLink",
  summary: "Operator: closes a class link to new people; those who joined stay",
  access: "operator",
  permission: "class.links",
  input: z.object({ class_id: id }),
  answer: nothing,
  errors: [...commonErrors, "class.link_unknown"],
});

export const setContracts = defineCall({
  method: "POST",
  path: "/api/operator/class/setContracts",
  summary:
    "Operator: switches contracts off or on for the instance. Open orders settle under the terms they opened with",
  access: "operator",
  permission: "class.contracts_switch",
  input: z.object({ on: z.boolean() }),
  answer: z.object({ on: z.boolean() }),
  errors: [...raised, "class.changed_meanwhile"],
});

export const pauseClock = defineCall({
  method: "POST",
  path: "/api/operator/class/pauseClock",
  summary:
    "Operator: announces that world time stands still from a second on, at least ten seconds of real time ahead. Nothing new starts meanwhile; withdrawals are paid; open orders go on afterwards",
  access: "operator",
  permission: "class.clock",
  input: z.object({
    /** World time, rounded down to a second, at most seven real days ahead; null: the earliest. */
    at_ms: z.nullable(timeMs),
  }),
  answer: z.object({ pause }),
  errors: [...raised, "class.clock_fixed", "class.pause_out_of_range", "class.changed_meanwhile"],
});

export const resumeClock = defineCall({
  method: "POST",
  path: "/api/operator/class/resumeClock",
  summary: "Operator: lets world time go on at once, or calls an announced pause off",
  access: "operator",
  permission: "class.clock",
  input: z.object({
    /** The pause shown on the operator's screen. */
    ordinal: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
  }),
  answer: nothing,
  errors: [...raised, "class.changed_meanwhile"],
});

export const setSignUp = defineCall({
  method: "POST",
  path: "/api/operator/class/setSignUp",
  summary:
    "Operator: sets who may create an account: anyone, anyone with an open class link, or nobody. Existing accounts can always sign in",
  access: "operator",
  permission: "class.sign_up_switch",
  input: z.object({
    sign_up: signUpState,
    /** The value shown on the operator's screen. */
    was: signUpState,
  }),
  answer: z.object({ sign_up: signUpState }),
  errors: [...raised, "class.changed_meanwhile"],
});

export const announce = defineCall({
  method: "POST",
  path: "/api/operator/class/announce",
  summary: "Operator: publishes a notice at once, in one language, under the rules for all notices",
  access: "operator",
  permission: "class.announce",
  input: z.object({
    /** UUID generated by the client: the publication's id. */
    id,
    type: z.enum(noticeTypes),
    language: postLanguage,
    /** Empty for a bar. */
    title: z.string().check(z.maxLength(160)),
    text: z.string().check(z.maxLength(560)),
    /** Real time; null until unpublished. */
    until_ms: z.nullable(timeMs),
  }),
  answer: z.object({ id }),
  errors: [
    ...commonErrors,
    "publishing.unknown",
    "publishing.changed_meanwhile",
    "publishing.nothing_to_publish",
    "publishing.too_far_ahead",
    ...problemNames,
  ],
});

export const calls = {
  getClass,
  makeClassLink,
  closeClassLink,
  setContracts,
  pauseClock,
  resumeClock,
  setSignUp,
  announce,
};
