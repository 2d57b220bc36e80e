import * as api from "#api/operator/classRoom.ts";
import { isLocale } from "#core/locales.ts";
import type { ClassRoomDeps, RoomLook } from "#server/operator/classes/deps.ts";
import { type Room, writeRoomFile } from "#server/operator/classes/roomFile.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { operatorFileRoute, operatorRoute } from "#server/platform/http/operatorRoute.ts";

/** Mounts the calls of `api/operator/classRoom.ts`. */
export function classRoomRoutes(app: App, world: string, classes: ClassRoomDeps): void {
  mountCodes(app, classes);
  mountRoom(app, classes);
  mountExport(app, world, classes);
  const { requireOpen, backups } = classes;
  operatorRoute(app, api.unlockBackup, async ({ class_id: id, number }, { audit, tx }) => {
    const { classId } = await requireOpen(id, tx);
    const { userId, unlocksLeft } = await backups.unlock(tx, { classId, number });
    audit({ what: "class.backup_unlocked", target: classId, touches: { userId } });
    return { unlocks_left: unlocksLeft };
  });
}

function mountCodes(app: App, { requireOpen, codes, tasks, labelOf, placesLeft }: ClassRoomDeps) {
  operatorRoute(app, api.makeClassCodes, async ({ class_id: id, count }, { audit, tx }) => {
    const { classId } = await requireOpen(id, tx);
    const total = await codes.make(tx, classId, count);
    audit({ what: "class.codes_made", target: classId, details: { count } });
    return { total };
  });
  operatorRoute(app, api.getClassCodes, async ({ class_id: id }) => {
    const openClass = await requireOpen(id);
    const list = await codes.list(openClass);
    return {
      label: await labelOf(openClass),
      expires_at_ms: openClass.expiresAtMs,
      places_left: await placesLeft(openClass),
      codes: list.map(({ number, code, isUsed }) => ({ number, code, used: isUsed })),
      tasks: await tasks.of(openClass.classId),
    };
  });
  operatorRoute(
    app,
    api.setClassTasks,
    async ({ class_id: id, tasks: taskNames }, { audit, tx }) => {
      const { classId } = await requireOpen(id, tx);
      const list = await tasks.choose(tx, classId, taskNames);
      audit({ what: "class.tasks_set", target: classId, details: { tasks: list.join(" ") } });
      return { tasks: list };
    },
  );
}

function mountRoom(app: App, classes: ClassRoomDeps): void {
  const { requireOpen, looks } = classes;
  const { realClock } = app.platform.ctx;
  operatorRoute(
    app,
    api.openRoom,
    async ({ class_id: id }, { operator, audit, alreadyAudited, tx }) => {
      const { classId } = await requireOpen(id, tx);
      const { look, userIds } = await looks.open(tx, classId, operator.operatorId);
      audit({ what: "class.room_opened", target: look.lookId });
      for (const userId of userIds)
        audit({ what: "class.room_viewed", target: look.lookId, touches: { userId } });
      // No pupil has joined yet: each is notified before the look shows them.
      alreadyAudited();
      return { look_id: look.lookId, ends_at_ms: look.endsAtMs };
    },
  );
  operatorRoute(
    app,
    api.getRoom,
    async ({ look_id: id }, { operator, auditBefore, alreadyAudited }) => {
      const roomLook = await looks.require(id, operator.operatorId);
      for (const userId of await looks.unnotified(roomLook)) {
        await auditBefore({
          what: "class.room_viewed",
          target: roomLook.lookId,
          touches: { userId },
        });
        await looks.recordNotified(roomLook, userId);
      }
      alreadyAudited();
      return {
        ...(await readRoom(classes, roomLook)),
        ends_at_ms: roomLook.endsAtMs,
        now_ms: realClock.nowMs(),
      };
    },
  );
}

/** Codes with their completed tasks, for pupils who were notified of the look. */
async function readRoom({ requireOpen, codes, tasks, looks }: ClassRoomDeps, roomLook: RoomLook) {
  const openClass = await requireOpen(roomLook.classId);
  const notified = await looks.notified(roomLook);
  return roomOf({ codes, tasks }, openClass, notified);
}

async function roomOf(
  { codes, tasks }: Pick<ClassRoomDeps, "codes" | "tasks">,
  openClass: Parameters<ClassRoomDeps["codes"]["list"]>[0],
  people: ReadonlyMap<number, string>,
): Promise<Room> {
  const list = await tasks.of(openClass.classId);
  const doneTasks = await tasks.done(openClass.classId, list, [...people.values()]);
  const rows = (await codes.list(openClass)).map(({ number }) => {
    const userId = people.get(number);
    return {
      number,
      joined: userId !== undefined,
      done: (userId === undefined ? undefined : doneTasks.get(userId)) ?? [],
    };
  });
  return { tasks: list, codes: rows };
}

function mountExport(app: App, world: string, classes: ClassRoomDeps): void {
  const { messages } = app.platform;
  operatorFileRoute(
    app,
    api.exportRoom,
    async ({ class_id: id, language: requestedLanguage }, { audit, alreadyAudited, language }) => {
      const openClass = await classes.requireOpen(id);
      const people = await classes.looks.members(openClass.classId);
      for (const userId of people.values())
        audit({ what: "class.room_exported", target: openClass.classId, touches: { userId } });
      alreadyAudited();
      const locale = isLocale(requestedLanguage) ? requestedLanguage : language;
      const format = (key: string) => messages.format(locale, `class-room.${key}`);
      return new FileAnswer(
        "drydock-practice-class.csv",
        "text/csv; charset=utf-8",
        writeRoomFile(world, await roomOf(classes, openClass, people), format),
      );
    },
  );
}
