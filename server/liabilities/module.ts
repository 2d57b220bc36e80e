import { liabilitiesJob } from "#server/liabilities/commit.ts";
import { defineModule } from "#server/module/module.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

export const liabilitiesModule = defineModule<{ transparencyLog: TransparencyLog }>()({
  name: "liabilities",
  needs: ["transparencyLog"],
  create: (ctx, { transparencyLog }) => {
    return {
      service: null,
      routes: null,
      jobs: [liabilitiesJob(ctx, transparencyLog)],
      personalData: null,
    };
  },
});
