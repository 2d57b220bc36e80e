import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { classTask } from "#api/classes.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";
import { codesMax } from "#core/classes/limits.ts";

/**
 * Codes, tasks and the room view of a class (docs/rules/classes.md). A pupil is the number of a
 * code: no name, no account and no result is in any answer.
 */
const commonErrors = ["session.required", "operator.required", "operator.not_permitted"] as const;
const ofClass = [...commonErrors, "class.link_unknown"] as const;

const number = z.int().check(z.minimum(1), z.maximum(codesMax));

export const makeClassCodes = defineCall({
  method: "POST",
  path: "/api/operator/class/makeCodes",
  summary:
    "Operator: makes one-use codes for a class, at most 40 in all; each takes one of its places",
  access: "operator",
  permission: "class.links",
  input: z.object({ class_id: id, count: number }),
  answer: z.object({ total: z.int() }),
  errors: [...ofClass, "class.too_many_codes"],
});

export const getClassCodes = defineCall({
  method: "GET",
  path: "/api/operator/class/getCodes",
  summary: "Operator: the unused codes of a class, for printing, and its tasks",
  access: "operator",
  permission: "class.links",
  input: z.object({ class_id: id }),
  answer: z.object({
    /** Null if its author has deleted their account. */
    label: z.nullable(z.string()),
    expires_at_ms: timeMs,
    /** Places taken neither by a person nor by a code. */
    places_left: z.int(),
    codes: z.array(
      z.object({
        number: z.int(),
        /** Null once it is used, or if its author has deleted their account. */
        code: z.nullable(z.string()),
        used: z.boolean(),
      }),
    ),
    tasks: z.array(classTask),
  }),
  errors: [...ofClass],
});

export const setClassTasks = defineCall({
  method: "POST",
  path: "/api/operator/class/setTasks",
  summary: "Operator: chooses the tasks of a class; to withdraw everything is always one of them",
  access: "operator",
  permission: "class.links",
  input: z.object({ class_id: id, tasks: z.array(classTask).check(z.maxLength(40)) }),
  answer: z.object({ tasks: z.array(classTask) }),
  errors: [...ofClass],
});

export const openRoom = defineCall({
  method: "POST",
  path: "/api/operator/class/openRoom",
  summary:
    "Operator: opens the room view of a class for an hour. Each pupil's records say so, of those who join later as soon as it shows them",
  access: "operator",
  permission: "class.room",
  input: z.object({ class_id: id }),
  answer: z.object({ look_id: id, ends_at_ms: timeMs }),
  errors: [...ofClass],
});

export const getRoom = defineCall({
  method: "GET",
  path: "/api/operator/class/getRoom",
  summary: "Operator: by code, who has joined and which tasks are done, in an open room view",
  access: "operator",
  permission: "class.room",
  input: z.object({ look_id: id }),
  answer: z.object({
    tasks: z.array(classTask),
    codes: z.array(z.object({ number: z.int(), joined: z.boolean(), done: z.array(classTask) })),
    ends_at_ms: timeMs,
    now_ms: timeMs,
  }),
  errors: [...commonErrors, "class.look_over"],
});

export const exportRoom = defineCall({
  method: "GET",
  path: "/api/operator/class/exportRoom",
  summary:
    "Operator: the room view as CSV, one row a code, one column a task, in the language of the request. Each pupil's records say so",
  access: "operator",
  permission: "class.room",
  file: ["text/csv"],
  input: z.object({
    class_id: id,
    /** The language, as a link cannot send the header. */
    language: z.optional(z.string().check(z.maxLength(10))),
  }),
  answer: nothing,
  errors: [...ofClass],
});

export const unlockBackup = defineCall({
  method: "POST",
  path: "/api/operator/class/unlockBackup",
  summary:
    "Operator: allows five more PINs for the locked backup of a code, at most ten times. The pupil's records say so",
  access: "operator",
  permission: "class.room",
  input: z.object({ class_id: id, number }),
  answer: z.object({ unlocks_left: z.int() }),
  errors: [...ofClass, "class.not_locked", "class.too_many_unlocks"],
});

export const calls = {
  makeClassCodes,
  getClassCodes,
  setClassTasks,
  openRoom,
  getRoom,
  exportRoom,
  unlockBackup,
};
