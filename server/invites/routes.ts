import { answerInvite, getInviteInfo, getTeamList, setInviteName } from "#api/invites.ts";
import type { Invites } from "#server/invites/invites.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

export function invitesRoutes(app: App, invites: Invites): void {
  route(app, getInviteInfo, (_input, { session }) => invites.info(session.userId));
  route(app, getTeamList, (params, { session }) => invites.team(session.userId, params));
  route(app, answerInvite, ({ answer }, { session }) => invites.answer(session.userId, answer));
  route(app, setInviteName, ({ name }, { session }) => invites.setName(session.userId, name));
}
