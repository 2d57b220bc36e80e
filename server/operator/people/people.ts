import type { PeopleDeps, PersonPages, ViewedPerson } from "#server/operator/people/deps.ts";
import { createViewings, type Viewings } from "#server/operator/people/viewings.ts";
import type { AppContext } from "#server/platform/context.ts";

export interface People extends Pick<PeopleDeps, "session" | "publishing" | "withdraw"> {
  viewings: Viewings;
  /** One of a person's pages, as its domain provides it. */
  page<Name extends keyof PersonPages>(name: Name): PersonPages[Name];
  /** The person in their current attempt. */
  inAttempt(userId: string): Promise<ViewedPerson>;
}

/**
 * Helping people at the console: what every domain shows about them, and the few actions it offers.
 */
export function createPeople(ctx: AppContext, deps: PeopleDeps): People {
  const { session, publishing, withdraw, contributions } = deps;
  return {
    viewings: createViewings(ctx),
    session,
    publishing,
    withdraw,
    page: <Name extends keyof PersonPages>(name: Name) => {
      const readPage = contributions.personPages.find((pages) => pages[name])?.[name];
      if (!readPage) throw new Error(`no module gives the person's page ${name}`);
      return readPage as PersonPages[Name];
    },
    inAttempt: async (userId) => {
      const { attemptId, attemptNumber } = await session.user(userId);
      return { userId, attemptId, attemptNumber };
    },
  };
}
