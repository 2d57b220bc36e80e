import { createStore, useStore } from "#ui/createStore.ts";
import { client } from "#web/lib/api/client.ts";
import { browserStorage } from "#web/lib/storage.ts";

/** Id of the person who was asked once in this browser and has not answered. */
const name = "invite_asked";
/**
 * As it stood when the page started: closing the question does not bring it back before the next
 * start.
 */
let unanswered = browserStorage.read(name) || null;

/** Whether the question that an invited person is asked after the sign-up is to be shown now. */
const question = createStore(false);

export const isInviteAsked = question.read;
export const setInviteQuestion = question.set;

/** Right after the sign-up. Until there is an answer it is asked once more, at the next start. */
export function askInvited(userId: string): void {
  browserStorage.write(name, userId);
  setInviteQuestion(true);
}

/** After an answer, or before the second and last time. */
export function askNoMore(): void {
  unanswered = null;
  browserStorage.write(name, null);
}

/**
 * Asks a second time, and never a third, whoever closed the question without an answer; the server
 * says whether one was given elsewhere. What does not get through is asked at a later start.
 */
export async function askInvitedAgain(userId: string): Promise<void> {
  if (unanswered !== userId) return;
  unanswered = null;
  try {
    const { getInviteInfo } = await import("#api/routes/invites.ts");
    const { invited } = (await client.call(getInviteInfo, {})).data;
    askNoMore();
    if (invited?.answer === null) setInviteQuestion(true);
  } catch {
    // Nobody waits for it.
  }
}

export function useInviteQuestion(): boolean {
  return useStore(question);
}
