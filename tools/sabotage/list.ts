import { accessSabotages } from "./list/access.ts";
import { classSabotages } from "./list/classes.ts";
import { ledgerSabotages } from "./list/ledger.ts";
import { logSabotages } from "./list/log.ts";
import { moneySabotages } from "./list/money.ts";
import type { Sabotage } from "./list/sabotage.ts";
import { settlementSabotages } from "./list/settlement.ts";
import { verifierSabotages } from "./list/verifiers.ts";

/** Every sabotage that the tests have to catch. */
export const sabotages: readonly Sabotage[] = [
  ...ledgerSabotages,
  ...settlementSabotages,
  ...logSabotages,
  ...accessSabotages,
  ...moneySabotages,
  ...classSabotages,
  ...verifierSabotages,
];
