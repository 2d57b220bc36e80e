import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { hash, nothing, timeMs } from "#api/shapes.ts";
import { classTaskNames, reportedTaskNames } from "#core/classes/tasks.ts";
import { backupBytes } from "#core/classes/walletBackup.ts";

/** Calls of a pupil (docs/rules/classes.md). Wrong codes are limited per network. */

/** Twelve letters; case, spaces and hyphens are ignored. */
const code = z.string().check(z.minLength(1), z.maxLength(40));
export const classTask = z.enum(classTaskNames);

/** Proves knowledge of code and PIN without revealing the PIN: 32 bytes in hex. */
const proof = hash;
/** A practice wallet's seed, encrypted in the browser: hex. */
const backup = z.string().check(z.regex(new RegExp(`^[0-9a-f]{${backupBytes * 2}}$`)));

export const findClassCode = defineCall({
  method: "POST",
  path: "/api/class/findCode",
  summary: "What a class code leads to: its number, the tasks of the class, and whether it is used",
  access: "public",
  input: z.object({ code }),
  answer: z.object({
    /** 1 to 40, as printed beside the code; shown to the teacher instead of a name. */
    number: z.int(),
    expires_at_ms: timeMs,
    tasks: z.array(classTask),
    used: z.boolean(),
    /** True if the wallet that joined can be restored with the code and a PIN. */
    has_backup: z.boolean(),
  }),
  errors: ["class.code_unknown", "class.code_over"],
});

export const joinClass = defineCall({
  method: "POST",
  path: "/api/class/join",
  summary:
    "Joins a class with an account that exists already; a new account joins by the same code as its `invite`. The same account may repeat it",
  access: "user",
  input: z.object({ code }),
  answer: z.object({ number: z.int() }),
  errors: [
    "session.required",
    "class.code_unknown",
    "class.code_over",
    "class.code_used",
    "class.already_joined",
  ],
});

export const getClassTasks = defineCall({
  method: "GET",
  path: "/api/class/getTasks",
  summary: "The tasks of this user's class and which of them are done",
  access: "user",
  input: nothing,
  answer: z.object({
    /** The class joined last that is still open; null if there is none. */
    class: z.nullable(
      z.object({
        /**
         * Number of this user's code; null for a person who joined by the class link, whom no
         * teacher sees.
         */
        number: z.nullable(z.int()),
        expires_at_ms: timeMs,
        tasks: z.array(z.object({ task: classTask, done: z.boolean() })),
        /** Locked after five wrong PINs. */
        backup: z.enum(["none", "stored", "locked"]),
      }),
    ),
  }),
  errors: ["session.required"],
});

export const reportClassTask = defineCall({
  method: "POST",
  path: "/api/class/reportTask",
  summary:
    "Reports that something was checked or read in this browser, if it is a task of the user's class; the first report counts",
  access: "user",
  input: z.object({ task: z.enum(reportedTaskNames as [string, ...string[]]) }),
  answer: nothing,
  errors: ["session.required", "class.not_joined", "class.task_not_set"],
});

export const storeClassBackup = defineCall({
  method: "POST",
  path: "/api/class/storeBackup",
  summary:
    "Stores the practice wallet's backup, encrypted in the browser with code and PIN; replaces the one before",
  access: "user",
  input: z.object({ code, proof, backup }),
  answer: nothing,
  errors: ["session.required", "class.code_unknown", "class.code_over"],
});

export const openClassBackup = defineCall({
  method: "POST",
  path: "/api/class/openBackup",
  summary:
    "The stored backup, for whoever proves code and PIN. After five wrong PINs in a row it stays locked until the teacher unlocks it",
  access: "public",
  input: z.object({ code, proof }),
  answer: z.object({ backup }),
  errors: [
    "class.code_unknown",
    "class.code_over",
    "class.no_backup",
    "class.pin_wrong",
    "class.pin_locked",
  ],
});

export const calls = {
  findClassCode,
  joinClass,
  getClassTasks,
  reportClassTask,
  storeClassBackup,
  openClassBackup,
};
