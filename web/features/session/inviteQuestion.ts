import { createStore, useStore } from "#ui/createStore.ts";
import { client } from "#web/lib/api/client.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** Id of the person who was asked once in this browser and has not answered. */
const name = "invite_asked";
/** Read once at page start: closing the question must not reopen it before the next start. */
let unanswered = browserStorage.read(name) || null;

/** True while the question that follows an invited person's sign-up is shown. */
const question = createStore(false);

export const isInviteAsked = question.read;
export const setInviteQuestion = question.set;

/**
 * Asks right after the sign-up. Without an answer, the question is asked once more, at the next
 * start.
 */
export function askAboutInviter(userId: string): void {
  browserStorage.write(name, userId);
  setInviteQuestion(true);
}

/** Called after an answer, or before asking the second and last time. */
export function endInviteQuestion(): void {
  unanswered = null;
  browserStorage.write(name, null);
}

/**
 * Asks a second and last time if the question was closed without an answer. The server says whether
 * it was answered elsewhere, or whether the person joined a class, which an older version asked
 * about too. If that call fails, the question is asked at a later start.
 */
export async function askAboutInviterAgain(userId: string): Promise<void> {
  if (unanswered !== userId) return;
  unanswered = null;
  try {
    const { getInviteInfo } = await import("#api/routes/invites.ts");
    const { invited } = (await client.call(getInviteInfo, {})).data;
    endInviteQuestion();
    if (invited?.answer === null && invited.by !== "class") setInviteQuestion(true);
  } catch {
    // The question can wait, so a failure is not reported.
  }
}

export function useInviteQuestion(): boolean {
  return useStore(question);
}
