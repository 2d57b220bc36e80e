import type { ClassMember } from "#core/classes/debrief.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import type { DebriefAccount, DebriefDeps } from "#server/operator/debrief/deps.ts";
import { ApiError } from "#server/platform/apiError.ts";

/** A class as it is counted: each of its people by their opaque id. */
export interface CountedClass {
  members: ReadonlyMap<string, ClassMember>;
  /** Members who agreed to have their confidence counted. */
  agreed: ReadonlySet<string>;
}

const noOrders = { decided: 0, won: 0, stake: 0n, fee: 0n, profit: 0n };

/**
 * Reads each person's inputs to the debrief of a class, one after the other; people who deleted
 * their account are left out. Throws `server.unavailable` while a coin that a member holds has no
 * index.
 */
export async function readClass(deps: DebriefDeps, classId: string): Promise<CountedClass> {
  const userIds: string[] = [];
  for (const userId of await deps.invites.classes.members(classId)) {
    if (await deps.session.person(userId)) userIds.push(userId);
  }
  const [orders, consentingIds] = await Promise.all([
    deps.contracts.decidedOrders(userIds),
    deps.beliefs.consent.agreedIn(classId),
  ]);
  const members = new Map<string, ClassMember>();
  for (const userId of userIds) {
    const accounts = await deps.records.accounts(userId);
    members.set(userId, {
      ...toFigures(accounts.map(requireKnown)),
      orders: orders.get(userId) ?? noOrders,
      beliefs: consentingIds.has(userId) ? await deps.beliefs.resolvedOf(userId) : [],
    });
  }
  return { members, agreed: consentingIds };
}

function requireKnown(account: DebriefAccount | null): DebriefAccount {
  if (!account) throw new ApiError("server.unavailable");
  return account;
}

function toFigures(
  accounts: readonly DebriefAccount[],
): Pick<ClassMember, "result" | "costs" | "hasWithdrawnAll"> {
  const sum = (pick: (account: DebriefAccount) => readonly string[]) =>
    accounts.flatMap(pick).reduce((total, amount) => total + minor(amount), 0n);
  return {
    result: sum(({ result }) => [result]),
    costs: {
      fees: sum(({ fees }) => Object.values(fees)),
      spread: sum(({ spread }) => Object.values(spread)),
      hosting: sum(({ parts }) => [parts.hosting]),
      mining: sum(({ parts }) => [parts.mining]),
    },
    hasWithdrawnAll: accounts.some(isWithdrawn),
  };
}

/**
 * True if a member has no available balance and nothing invested, and has a completed or pending
 * withdrawal.
 */
function isWithdrawn({ balances, at_work: atWork, taken_out: takenOut }: DebriefAccount): boolean {
  const isNothing = (amount: string) => Number(amount) === 0;
  const isEmpty =
    balances.every(({ available }) => isNothing(available)) &&
    Object.values(atWork).every(isNothing);
  const leaves = !isNothing(takenOut.withdraw) || balances.some(({ held }) => !isNothing(held));
  return isEmpty && leaves;
}

const minor = (amount: string) => toMinorUnits(amount, coinScale(displayCurrency));
