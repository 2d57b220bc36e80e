import type { LeafReader, Step } from "../contracts/receipt.ts";
import { equalBytes, fromHex, MismatchError, sha256, toHex } from "../log/bytes.ts";
import { decodeWorld, kinds, readKind, worldTag } from "../log/leaves.ts";
import { accountLeaf, coinOrder, decodeLiabilities, rootFromSumPath } from "../log/liabilities.ts";
import { checkExchange } from "./exchange.ts";
import { type JournalReceipt, type OwnAccount, parseJournalReceipt } from "./journalSchema.ts";
import { checkOrders } from "./orders.ts";

/** Steps 5 to 10 of docs/formats/journal.md. */

interface State {
  receipt: JournalReceipt;
  leaf: LeafReader;
  steps: Step[];
}

/**
 * Resolves with one sentence per step; rejects with a MismatchError naming the step and the
 * difference.
 */
export async function checkJournalReceipt(
  value: unknown,
  leaf: LeafReader,
  size: number,
): Promise<{ receipt: JournalReceipt; steps: Step[] }> {
  const state: State = { receipt: parseJournalReceipt(value), leaf, steps: [] };
  await checkMarks(state);
  checkLegs(state);
  const heads = state.receipt.accounts.map((account) => checkChain(state.receipt, account));
  const entries = state.receipt.accounts.reduce((sum, { entries: some }) => sum + some.length, 0);
  addStep(
    state,
    "chain",
    `${entries} entries of ${heads.length} accounts hash to ${heads.map(([, head]) => toHex(head).slice(0, 16)).join(", ")}…`,
  );
  const balances = state.receipt.accounts.map((account) => checkRunning(state.receipt, account));
  addStep(
    state,
    "running",
    `Every balance follows from the one before it; committed: ${balances.map((sum, index) => `${sum} ${state.receipt.accounts[index]?.coin}`).join(", ")} minor units.`,
  );
  await checkCommitted(state, heads, balances);
  await checkRules(state);
  addStep(state, "orders", await checkOrders(state.receipt, leaf, size));
  return { receipt: state.receipt, steps: state.steps };
}

function addStep({ steps }: State, step: string, message: string): void {
  steps.push({ step, message });
}

async function checkMarks(state: State): Promise<void> {
  const { receipt, leaf } = state;
  const world = decodeWorld(await leaf(0));
  if (receipt.world !== world.name)
    throw new MismatchError(
      "marks",
      "world_differs",
      `${receipt.world}, the log is of ${world.name}`,
    );
  const { kind, speed } = world.market;
  if (receipt.market.kind !== kind || receipt.market.speed !== speed)
    throw new MismatchError("marks", "market_differs", `the log says ${kind} ${speed}`);
  addStep(state, "marks", `Practice only, backed by nothing; world "${world.name}".`);
}

function checkLegs(state: State): void {
  const { journal, legs, house, others, accounts } = state.receipt;
  const sums = new Map<string, bigint>();
  const add = (coin: string, amount: string) =>
    sums.set(coin, (sums.get(coin) ?? 0n) + BigInt(amount));
  for (const { account, amount } of legs) {
    const owned = accounts.find((ownAccount) => ownAccount.account === account);
    if (owned) add(owned.coin, amount);
  }
  for (const { coin, amount } of [...house, ...others]) add(coin, amount);
  for (const [coin, sum] of sums) {
    if (sum !== 0n) throw new MismatchError("legs", "legs_not_zero", `${coin} sums to ${sum}`);
  }
  const strayLeg = legs.find(
    ({ account }) => !accounts.some((ownAccount) => ownAccount.account === account),
  );
  if (strayLeg) throw new MismatchError("legs", "leg_not_in_chain", `account ${strayLeg.account}`);
  const ownLegs = legs.map(({ account, amount }) => {
    const { kind, coin } = accounts.find(
      (ownAccount) => ownAccount.account === account,
    ) as OwnAccount;
    return `${amount} ${coin} (${kind})`;
  });
  addStep(
    state,
    "legs",
    `${journal.kind}: ${ownLegs.join(", ")} minor units; every coin sums to zero.`,
  );
}

/** The start of the account's chain: which account it is, and whose. */
function getStart({ world }: JournalReceipt, account: OwnAccount): Buffer {
  const genesis = sha256(
    Buffer.from(
      `{"format":"drydock-ledger-chain-2","practice":true,"backing":"none","world":${JSON.stringify(world)}}`,
    ),
  );
  const { account: id, owner, attempt_id: attempt, kind, coin, mark } = account;
  const names = [owner, attempt, kind, coin, mark].map((name) => JSON.stringify(name));
  return sha256(genesis, Buffer.from(`[${id},${names.join(",")}]`));
}

/** The hash of the journal's parts: the house's legs by kind, and those of all people together. */
function toParts({ legs, house, others, accounts }: JournalReceipt): string {
  const sums = new Map<string, bigint>();
  const add = (part: string, amount: string) =>
    sums.set(part, (sums.get(part) ?? 0n) + BigInt(amount));
  for (const { kind, coin, amount } of house) add(`${kind} ${coin}`, amount);
  for (const { coin, amount } of others) add(`people ${coin}`, amount);
  for (const { account, amount } of legs)
    add(`people ${accounts.find((ownAccount) => ownAccount.account === account)?.coin}`, amount);
  const lines = [...sums].map(([part, sum]) => `${part} ${sum}\n`);
  // The names are ASCII, so this is the order of their bytes; a space comes before every letter.
  return toHex(sha256(Buffer.from(lines.sort().join(""))));
}

/**
 * Checks that the account's entries belong to the journal where they say so; returns what they
 * start from, and the head they hash to.
 */
function checkChain(receipt: JournalReceipt, account: OwnAccount): [Buffer, Buffer] {
  const { journal, legs } = receipt;
  const { account: id, position_before: before, entries } = account;
  const start = getStart(receipt, account);
  if (before === 0 && (toHex(start) !== account.hash_before || account.balance_before !== "0"))
    throw new MismatchError("chain", "chain_start_differs", `account ${id}`);
  const statedLegs = legs.filter((leg) => leg.account === id);
  const journalEntries = entries.filter((entry) => entry.journal_id === journal.id);
  const first = entries[0]?.journal_id === journal.id;
  const legsInChain = statedLegs.every(({ leg, amount, position }) => {
    const entry = entries[position - before - 1];
    return entry?.journal_id === journal.id && entry.leg === leg && entry.amount === amount;
  });
  if (
    !first ||
    !legsInChain ||
    statedLegs.length === 0 ||
    statedLegs.length !== journalEntries.length
  )
    throw new MismatchError("chain", "leg_not_in_chain", `account ${id}`);
  for (const entry of journalEntries) {
    const agrees =
      entry.at_ms === journal.at_ms &&
      entry.body_hash === journal.body_hash &&
      entry.kind === journal.kind;
    if (!agrees) throw new MismatchError("chain", "journal_not_in_chain", `leg ${entry.leg}`);
    if (entry.parts !== toParts(receipt))
      throw new MismatchError("chain", "parts_differ", `leg ${entry.leg}`);
  }
  return [start, computeHeads(account).at(-1) as Buffer];
}

/** The head of the account's chain after each of its entries. */
export function computeHeads(account: OwnAccount): Buffer[] {
  const { account: id, position_before: before, entries } = account;
  let head = fromHex(account.hash_before);
  return entries.map((entry, index) => {
    const fields = Buffer.alloc(70);
    fields.writeUInt8(2, 0);
    fields.writeUInt8(1, 1);
    fields.writeBigInt64BE(BigInt.asIntN(64, BigInt(id)), 2);
    fields.writeBigInt64BE(BigInt(before + index + 1), 10);
    fields.set(fromHex(entry.journal_id.replaceAll("-", "")), 18);
    fields.writeInt32BE(entry.leg | 0, 34);
    fields.writeBigInt64BE(BigInt.asIntN(64, BigInt(entry.amount)), 38);
    fields.writeBigInt64BE(BigInt(entry.at_ms), 46);
    head = sha256(
      head,
      fields.subarray(0, 54),
      fromHex(entry.body_hash),
      fromHex(entry.parts),
      Buffer.from(entry.kind, "utf8"),
    );
    return head;
  });
}

/** Checks the running balance; returns the balance after the last entry. */
function checkRunning({ legs }: JournalReceipt, account: OwnAccount): bigint {
  let balance = BigInt(account.balance_before);
  for (const [index, entry] of account.entries.entries()) {
    balance += BigInt(entry.amount);
    if (balance < 0n) throw new MismatchError("running", "balance_negative", entry.journal_id);
    const leg = legs.find(
      (leg) =>
        leg.account === account.account && leg.position === account.position_before + index + 1,
    );
    if (leg && BigInt(leg.balance) !== balance)
      throw new MismatchError("running", "running_differs", `${leg.balance}, found ${balance}`);
  }
  return balance;
}

async function checkCommitted(
  state: State,
  heads: readonly [Buffer, Buffer][],
  balances: readonly bigint[],
): Promise<void> {
  const { receipt, leaf } = state;
  const liabilitiesLeaf = receipt.liabilities_leaf;
  const readLiabilities = async (index: number) => {
    const entry = await leaf(index);
    try {
      return decodeLiabilities(entry, worldTag(receipt.world));
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      const detail = `leaf ${index}: ${error.message}`;
      throw new MismatchError("committed", "liabilities_unreadable", detail);
    }
  };
  const commitment = await readLiabilities(liabilitiesLeaf);
  for (const [index, account] of receipt.accounts.entries()) {
    const node = accountLeaf(
      BigInt(account.account),
      account.coin,
      BigInt(account.position_before + account.entries.length),
      balances[index] as bigint,
      heads[index] as [Buffer, Buffer],
    );
    const path = account.path.map(({ hash, sums }) => ({
      hash: fromHex(hash),
      sums: sums.map(BigInt),
    }));
    const root = rootFromSumPath(node, account.place, commitment.accounts, path);
    if (!root || !equalBytes(root.hash, fromHex(commitment.root)))
      throw new MismatchError("committed", "account_not_committed", `account ${account.account}`);
    if (root.sums.some((sum, coin) => sum !== commitment.users[coin]))
      throw new MismatchError("committed", "total_differs", `account ${account.account}`);
  }
  const { before } = commitment;
  const fellBack = (detail: string) => new MismatchError("committed", "accounts_fell", detail);
  if (before !== null) {
    if (before >= liabilitiesLeaf)
      throw fellBack(`leaf ${liabilitiesLeaf} names ${before} as the one before`);
    const previousLeaf = await readLiabilities(before);
    const { accounts, batch, atMs } = previousLeaf;
    if (accounts > commitment.accounts || batch >= commitment.batch || atMs > commitment.atMs)
      throw fellBack(`leaf ${before} committed to ${accounts} accounts, batch ${batch}`);
    for (let index = before + 1; index < liabilitiesLeaf; index += 1)
      if (readKind(await leaf(index), worldTag(receipt.world)) === kinds.liabilities)
        throw fellBack(
          `leaf ${index} is between leaf ${liabilitiesLeaf} and ${before}, the one that it names`,
        );
  }
  const totals = coinOrder.map((coin, index) => `${commitment.users[index]} ${coin}`).join(", ");
  addStep(
    state,
    "committed",
    `Leaf ${liabilitiesLeaf} commits to it among ${commitment.accounts} accounts; all people together hold ${totals} minor units.`,
  );
}

const withdrawFee: Record<string, bigint> = {
  pUSDT: 1_000_000n,
  pUSDC: 1_000_000n,
  pBTC: 10_000n,
  pETH: 1_000_000n,
};

async function checkRules(state: State): Promise<void> {
  const { journal, legs, house, others, accounts } = state.receipt;
  const coin = accounts[0]?.coin as string;
  if (journal.kind === "attempt.start") {
    const isValid =
      legs.length === 1 &&
      coin === "pUSDT" &&
      legs[0]?.position === 1 &&
      legs[0].amount === "10000000000";
    if (!isValid) throw new MismatchError("arithmetic", "start_differs");
    addStep(state, "arithmetic", "An attempt starts with 10 000 pUSDT.");
  } else if (journal.kind === "reward.invitation") {
    const [ownLeg, received, issuance] = [legs[0], others[0], house[0]];
    const isValid =
      legs.length === 1 &&
      others.length === 1 &&
      house.length === 1 &&
      coin === "pUSDT" &&
      accounts[0]?.kind === "wallet" &&
      ownLeg?.amount === "100000000" &&
      received?.coin === "pUSDT" &&
      received.amount === "100000000" &&
      issuance?.kind === "issuance";
    if (!isValid) throw new MismatchError("arithmetic", "reward_differs");
    addStep(state, "arithmetic", "An invitation brings 100 pUSDT to each of two people.");
  } else if (journal.kind === "withdraw.leave") {
    const amount = -legs.reduce((sum, leg) => sum + BigInt(leg.amount), 0n);
    const feeCharged = house
      .filter((leg) => leg.kind === "fees" && leg.coin === coin)
      .reduce((sum, leg) => sum + BigInt(leg.amount), 0n);
    const fee = withdrawFee[coin] as bigint;
    const dueFee = amount > fee ? fee : 0n;
    if (feeCharged !== dueFee)
      throw new MismatchError(
        "arithmetic",
        "fee_differs",
        `${feeCharged}, the rule says ${dueFee}`,
      );
    addStep(state, "arithmetic", `Of ${amount} minor units ${feeCharged} are the fee by the rule.`);
  } else if (journal.kind === "exchange.execute") {
    addStep(state, "arithmetic", await checkExchange(state.receipt, state.leaf));
  } else {
    addStep(state, "arithmetic", `No figure of ${journal.kind} follows from published data alone.`);
  }
}

function readableKind(entry: Uint8Array, tag: Uint8Array, index: number): number {
  try {
    return readKind(entry, tag);
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    throw new MismatchError("committed", "leaf_unreadable", `leaf ${index}: ${error.difference}`);
  }
}

/**
 * Checks that no commitment follows the one that the receipt names: an account that only an old one
 * covers may have been left out since. Returns the step's sentence.
 */
export async function checkNewest(
  { world, liabilities_leaf: liabilitiesLeaf }: JournalReceipt,
  leaf: LeafReader,
  size: number,
): Promise<string> {
  const tag = worldTag(world);
  for (let index = liabilitiesLeaf + 1; index < size; index++)
    if (readableKind(await leaf(index), tag, index) === kinds.liabilities)
      throw new MismatchError("committed", "commitment_not_newest", `leaf ${index} is a later one`);
  return `No commitment follows leaf ${liabilitiesLeaf} in the ${size} leaves of the log.`;
}
