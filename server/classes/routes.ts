import * as api from "#api/classes.ts";
import { type KnownBy, reportedTaskNames } from "#core/classes/tasks.ts";
import type { Classes } from "#server/classes/classes.ts";
import type { ClassCode } from "#server/classes/codes.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import { toNetwork } from "#server/platform/http/limits/network.ts";
import { createRateLimit, createRateLimitError } from "#server/platform/http/limits/rateLimit.ts";
import { route } from "#server/platform/http/route.ts";

/**
 * Wrong codes per network: a burst of this many, then one every ten seconds. Right ones are never
 * limited: a whole class is behind one address.
 */
const wrongCodes = { perSecond: 0.1, burst: 20 };

/** Mounts the calls of `api/classes.ts`. */
export function classesRoutes(app: App, ctx: AppContext, classes: Classes): void {
  const { codes, backups, tasks } = classes;
  const { db } = ctx.database;
  const limit = createRateLimit(wrongCodes, ctx.realClock);
  /** Finds a code; a wrong one costs its network. */
  const withCodeLimit = async <Result>(
    ip: string,
    find: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof ApiError) || error.error !== "class.code_unknown") throw error;
      const waitSeconds = limit.take(toNetwork(ip));
      throw waitSeconds === null ? error : createRateLimitError(waitSeconds, "class_codes");
    }
  };
  const find = (code: string, ip: string): Promise<ClassCode> =>
    withCodeLimit(ip, () => codes.find(code));

  route(app, api.findClassCode, async ({ code }, { ip }) => {
    const classCode = await find(code, ip);
    return {
      number: classCode.number,
      expires_at_ms: classCode.expiresAtMs,
      tasks: await tasks.of(classCode.classId),
      used: classCode.isUsed,
      has_backup: (await backups.state(classCode)) !== "none",
    };
  });
  route(app, api.joinClass, async ({ code }, { session, ip }) => {
    const params = { text: code, userId: session.userId, atMs: ctx.realClock.nowMs() };
    const { number } = await withCodeLimit(ip, () =>
      db.transaction().execute((tx) => codes.join(tx, params)),
    );
    return { number };
  });
  route(app, api.getClassTasks, async (_input, { session: { userId } }) => {
    const membership = await classes.membership(userId);
    if (!membership) return { class: null };
    const { classId, number, expiresAtMs, backup } = membership;
    const list = await tasks.of(classId);
    const doneTasks = (await tasks.done(classId, list, [userId])).get(userId) ?? [];
    return {
      class: {
        number,
        expires_at_ms: expiresAtMs,
        tasks: list.map((task) => ({ task, done: doneTasks.includes(task) })),
        backup,
      },
    };
  });
  route(app, api.reportClassTask, async ({ task }, { session: { userId } }) => {
    const membership = await classes.membership(userId);
    if (!membership) throw new ApiError("class.not_joined");
    const reported = reportedTaskNames.find((name): name is KnownBy<"reported"> => name === task);
    if (!reported) throw new ApiError("class.task_not_set");
    await tasks.report({ classId: membership.classId, userId, task: reported });
    return {};
  });
  route(app, api.storeClassBackup, async ({ code, proof, backup }, { session: { userId }, ip }) => {
    const classCode = await find(code, ip);
    // A code of someone else counts as wrong.
    if (classCode.userId !== userId) throw new ApiError("class.code_unknown");
    await backups.store(classCode, { userId, proof, backup });
    return {};
  });
  route(app, api.openClassBackup, async ({ code, proof }, { ip }) => ({
    backup: await backups.open(await find(code, ip), proof),
  }));
}
