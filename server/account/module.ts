import { type AccountDeps, createAccount } from "#server/account/account.ts";
import { type AccountPageDeps, readAccountPage } from "#server/account/page.ts";
import { accountRoutes } from "#server/account/routes.ts";
import { mountUserInfo, type UserInfoDeps } from "#server/account/userInfo.ts";
import { defineModule } from "#server/module/module.ts";

export const accountModule = defineModule<AccountDeps & UserInfoDeps & AccountPageDeps>()({
  name: "account",
  needs: [
    "session",
    "pin",
    "withdraw",
    "recharge",
    "contracts",
    "publishing",
    "people",
    "identity",
    "contributions",
  ],
  create: (ctx, deps) => {
    const service = createAccount(ctx, deps);
    return {
      service,
      routes: (app) => {
        accountRoutes(app, service);
        mountUserInfo(app, deps);
      },
      jobs: service.jobs,
      // The record of a deletion holds only ids that no longer identify anyone, and must outlive
      // the person.
      personalData: null,
      onUserCreated: ({ userId }) => service.created(userId),
      personPages: { account: ({ userId }) => readAccountPage(deps, userId) },
    };
  },
});
