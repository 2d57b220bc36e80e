import type { Sabotage } from "./sabotage.ts";

const codes = "server/classes/codes.ts";
const backups = "server/classes/backups.ts";
const looksFile = "server/classes/looks.ts";
const room = "server/operator/classes/classRoom.test.ts";

/** Codes, backups, room views and debriefs of classes. */
export const classSabotages: readonly Sabotage[] = [
  {
    name: "classes: a code joins two accounts",
    file: codes,
    find: '        if (classCode.userId !== userId) throw new ApiError("class.code_used");\n',
    replace: "",
    tests: [room],
  },
  {
    name: "classes: a code outlives its class",
    file: "server/classes/store.ts",
    find: "where class_id = ${classId} and closed_at_ms is null and expires_at_ms > ${nowMs}",
    replace: "where class_id = ${classId} and ${nowMs} > 0",
    tests: [room],
  },
  {
    name: "classes: wrong codes are not limited",
    file: "server/classes/routes.ts",
    find: "throw waitSeconds === null ? error : createRateLimitError",
    replace: "throw waitSeconds !== -1 ? error : createRateLimitError",
    tests: [room],
  },
  {
    name: "classes: a used code stays readable",
    file: codes,
    find: "joined_at_ms = ${atMs}, code_encrypted = null",
    replace: "joined_at_ms = ${atMs}",
    tests: [room],
  },
  {
    name: "classes: wrong PINs are not counted",
    file: backups,
    find: "update class_wallet set failures = failures + 1",
    replace: "update class_wallet set failures = failures",
    tests: [room],
  },
  {
    name: "classes: a new PIN gives unlocking back",
    file: backups,
    find: "          failures = 0`.execute(db);",
    replace: "          failures = 0, unlocks = 0`.execute(db);",
    tests: [room],
  },
  {
    name: "classes: a look is not in the pupils' records",
    file: "server/operator/classes/roomRoutes.ts",
    find: "      for (const userId of userIds)\n",
    replace: "      for (const userId of userIds.slice(0, 0))\n",
    tests: [room],
  },
  {
    name: "classes: a look is open to every operator",
    file: looksFile,
    find: "where k.look_id = ${lookId} and k.operator_id = ${operatorId}",
    replace: "where k.look_id = ${lookId} and ${operatorId} <> ''",
    tests: [room],
  },
  {
    name: "classes: an export needs no open class",
    file: "server/operator/classes/roomRoutes.ts",
    find: "const openClass = await classes.requireOpen(id);\n      const people",
    replace:
      'const openClass = { classId: id, expiresAtMs: 0, limit: 0, byUserId: "", labelEncrypted: Buffer.alloc(0) };\n      const people',
    tests: [room],
  },
  {
    name: "classes: a debrief of four",
    file: "server/operator/debrief/debrief.ts",
    find: "if (classData.members.size < peopleMin)",
    replace: "if (classData.members.size < peopleMin - 1)",
    tests: ["server/operator/debrief/debrief.test.ts"],
  },
  {
    name: "classes: a figure over four people",
    file: "core/classes/masking.ts",
    find: "if (people < peopleMin) return",
    replace: "if (people < peopleMin - 1) return",
    tests: ["core/classes/debrief.test.ts"],
  },
];
