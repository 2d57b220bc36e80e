import type { Contracts } from "#server/contracts/contracts.ts";
import type { Invites } from "#server/invites/invites.ts";
import type { ClassNeeds } from "#server/operator/people/deps.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Publications } from "#server/publishing/publications.ts";
import type { SessionService } from "#server/session/session.ts";

/** What the console's page for classes asks other domains. */
export function wireClasses(
  { realClock }: Pick<Parts, "realClock">,
  needs: {
    invites: Invites;
    contracts: Contracts;
    session: SessionService;
    publications: Publications;
  },
): ClassNeeds {
  const { invites, contracts, session, publications } = needs;
  return {
    links: () => invites.classes.listClassLinks(),
    makeLink: (tx, wish) => invites.classes.createClassLink(wish, tx),
    closeLink: (tx, classId) => invites.classes.closeClassLink(classId, tx),
    contracts: { areOn: contracts.areOn, set: contracts.switchTo },
    signUp: session.signUp,
    announce: async (tx, { id, body, by }) => {
      const { revision } = await publications.save(tx, "notice", id, body, { revision: 0, by });
      await publications.schedule(tx, "notice", id, realClock.nowMs(), { revision, by });
    },
  };
}
