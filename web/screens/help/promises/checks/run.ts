import type { PromiseNumber } from "#web/screens/help/views.ts";
import type { Check } from "./check.ts";

/** The check of each promise; its code is loaded on demand. */
export const checks: Record<PromiseNumber, () => Promise<Check>> = {
  1: async () => (await import("./money.ts")).checkMoney,
  2: async () => (await import("./signIn.ts")).checkSignIn,
  3: async () => (await import("./withdraw.ts")).checkWithdraw,
  4: async () => (await import("./contracts.ts")).checkReturns,
  5: async () => (await import("./log.ts")).checkLog,
  6: async () => (await import("./log.ts")).checkWitnesses,
  7: async () => (await import("./contracts.ts")).checkFigures,
  8: async () => (await import("./own.ts")).checkAuditEvents,
  9: async () => (await import("./own.ts")).checkStorage,
  10: async () => (await import("./own.ts")).checkRewards,
};
