import { sql } from "kysely";
import {
  type ClassTask,
  classTaskNames,
  type KnownBy,
  listTasks,
  storedTaskNames,
} from "#core/classes/tasks.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** Filters people to those who have done a task, by a domain's rows over all their attempts. */
export type DoneTasks = Readonly<
  Partial<Record<KnownBy<"stored">, (userIds: readonly string[]) => Promise<readonly string[]>>>
>;

export interface ClassTasks {
  /** In the fixed order of tasks; all tasks until a teacher chooses. */
  of(classId: string): Promise<ClassTask[]>;
  choose(tx: Tx, classId: string, chosen: readonly ClassTask[]): Promise<ClassTask[]>;
  /** The tasks of a class that each of these people has done; a person without any has no entry. */
  done(
    classId: string,
    tasks: readonly ClassTask[],
    userIds: readonly string[],
  ): Promise<Map<string, ClassTask[]>>;
  /** Throws `class.task_not_set` if the class does not have the task. The first report counts. */
  report(params: { classId: string; userId: string; task: KnownBy<"reported"> }): Promise<void>;
}

export function createClassTasks(
  { database: { db }, realClock }: Pick<AppContext, "database" | "realClock">,
  contributions: { readonly classTasks: readonly DoneTasks[] },
): ClassTasks {
  const tasks = async (classId: string, from: Db | Tx = db) => {
    const { rows } = await sql<{ tasks: ClassTask[] }>`
      select tasks from class_tasks where class_id = ${classId}`.execute(from);
    return listTasks(rows[0]?.tasks ?? classTaskNames);
  };
  return {
    of: tasks,
    choose: async (tx, classId, chosenTasks) => {
      const list = listTasks(chosenTasks);
      await sql`
        insert into class_tasks (class_id, tasks) values (${classId}, ${list})
        on conflict (class_id) do update set tasks = excluded.tasks`.execute(tx);
      return list;
    },
    done: async (classId, taskNames, userIds) => {
      const { rows } = await sql<{ user_id: string; task: ClassTask }>`
        select user_id, task from class_task_done
        where class_id = ${classId} and user_id = any(${userIds}::text[])`.execute(db);
      const pairs = rows.map(({ user_id: userId, task }) => ({ userId, task }));
      for (const task of storedTaskNames.filter((name) => taskNames.includes(name))) {
        const readDone = contributions.classTasks.find((classTask) => classTask[task])?.[task];
        if (!readDone) throw new Error(`no module tells who has done the task ${task}`);
        for (const userId of await readDone(userIds)) pairs.push({ userId, task });
      }
      return new Map(
        [...Map.groupBy(pairs, ({ userId }) => userId)].map(([userId, ownPairs]) => [
          userId,
          taskNames.filter((name) => ownPairs.some(({ task }) => task === name)),
        ]),
      );
    },
    report: async ({ classId, userId, task }) => {
      if (!(await tasks(classId)).includes(task)) throw new ApiError("class.task_not_set");
      await sql`
        insert into class_task_done (class_id, user_id, task, at_ms)
        values (${classId}, ${userId}, ${task}, ${realClock.nowMs()})
        on conflict do nothing`.execute(db);
    },
  };
}
