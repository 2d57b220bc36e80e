import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { problemNames } from "#api/operator/publishing.ts";
import { postLanguage } from "#api/publishing.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";
import { noticeTypes } from "#core/publishing/bodies.ts";
import { signUpStates } from "#core/session/signUp.ts";

/** What whoever teaches a class needs. There is no list of results, and none of people. */
const always = ["session.required", "operator.required", "operator.not_permitted"] as const;
const raised = [...always, "operator.raise_required"] as const;

const signUpState = z.enum(signUpStates);

const classLink = z.object({
  class_id: id,
  code: z.string(),
  /** Null when whoever wrote it deleted their account. */
  label: z.nullable(z.string()),
  made_at_ms: timeMs,
  expires_at_ms: timeMs,
  closed_at_ms: z.nullable(timeMs),
  limit: z.int(),
  joined: z.int(),
  /** Of those who joined, how many finished the first lesson. */
  finished: z.int(),
});
export type ClassLinkView = z.infer<typeof classLink>;

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
    now_ms: timeMs,
  }),
  errors: [...always],
});

export const makeClassLink = defineCall({
  method: "POST",
  path: "/api/operator/class/makeLink",
  summary:
    "Operator: an invitation link for a class. It belongs to nobody, earns nothing and only counts who joined",
  access: "operator",
  permission: "class.links",
  input: z.object({
    /** 1 to 60 characters after trimming; only operators see it. */
    label: z.string().check(z.maxLength(240)),
    limit: z.int().check(z.minimum(1), z.maximum(500)),
    /** Real time, later than now and at most a year ahead. */
    expires_at_ms: timeMs,
  }),
  answer: z.object({ link: classLink }),
  errors: [...always, "class.label_missing", "class.expiry_wrong"],
});

export const closeClassLink = defineCall({
  method: "POST",
  path: "/api/operator/class/closeLink",
  summary: "Operator: lets nobody else join by a class link; who joined stays",
  access: "operator",
  permission: "class.links",
  input: z.object({ class_id: id }),
  answer: nothing,
  errors: [...always, "class.link_unknown"],
});

export const setContracts = defineCall({
  method: "POST",
  path: "/api/operator/class/setContracts",
  summary:
    "Operator: switches contracts off or on for the instance. Orders that run are settled by the terms they opened with",
  access: "operator",
  permission: "class.contracts_switch",
  input: z.object({ on: z.boolean() }),
  answer: z.object({ on: z.boolean() }),
  errors: [...raised, "class.changed_meanwhile"],
});

export const setSignUp = defineCall({
  method: "POST",
  path: "/api/operator/class/setSignUp",
  summary:
    "Operator: who may make an account: anyone, whoever has an open class link, or nobody. Whoever has one can always sign in",
  access: "operator",
  permission: "class.sign_up_switch",
  input: z.object({
    sign_up: signUpState,
    /** What it was on the operator's screen. */
    was: signUpState,
  }),
  answer: z.object({ sign_up: signUpState }),
  errors: [...raised, "class.changed_meanwhile"],
});

export const announce = defineCall({
  method: "POST",
  path: "/api/operator/class/announce",
  summary: "Operator: publishes a notice at once, in one language, under the rule of all notices",
  access: "operator",
  permission: "class.announce",
  input: z.object({
    /** UUID of the client: the publication's id. */
    id,
    type: z.enum(noticeTypes),
    language: postLanguage,
    /** Empty in a bar. */
    title: z.string().check(z.maxLength(160)),
    text: z.string().check(z.maxLength(560)),
    /** Real time; null: until it is withdrawn. */
    until_ms: z.nullable(timeMs),
  }),
  answer: z.object({ id }),
  errors: [
    ...always,
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
  setSignUp,
  announce,
};
