import { reportClassTask } from "#api/routes/classes.ts";
import type { KnownBy } from "#core/classes/tasks.ts";
import { client } from "#web/lib/api/client.ts";
import { browserStorage } from "#web/lib/storage.ts";

/**
 * Tells the server that a task of a class was done in this browser: only where someone joined one,
 * after they read that it is reported. No one waits for it; the server refuses what is not a task
 * of theirs.
 */
export function reportTask(task: KnownBy<"reported">): void {
  if (browserStorage.read("class") === null) return;
  void client.call(reportClassTask, { task }).catch(() => {});
}
