import { reportClassTask } from "#api/routes/classes.ts";
import type { KnownBy } from "#core/classes/tasks.ts";
import { client } from "#web/lib/api/client.ts";
import { browserStorage } from "#web/lib/storage.ts";

/**
 * Tells the server that a class task was done in this browser. Reports only for a person who joined
 * a class, after they read that it is reported. The caller does not wait; the server refuses a task
 * that the person's class does not have.
 */
export function reportTask(task: KnownBy<"reported">): void {
  if (browserStorage.read("class") === null) return;
  void client.call(reportClassTask, { task }).catch(() => {});
}
