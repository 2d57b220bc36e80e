/**
 * Real chains by the form of their addresses, most distinctive first. Names are proper names, the
 * same in every language. Some forms overlap (a 34-character base58 string starting with T is taken
 * for Tron, not for a short Solana key); the only consequence is which chain the error names.
 */
const base58 = "[1-9A-HJ-NP-Za-km-z]";
const data32 = "[02-9ac-hj-np-z]";
const forms: readonly (readonly [chain: string, form: RegExp])[] = [
  ["Ethereum", /^(ethereum:(pay-)?)?0x[0-9a-f]{40}$/i],
  ["Ethereum", /^[a-z0-9-]+(\.[a-z0-9-]+)*\.eth$/i],
  ["Sui / Aptos", /^0x[0-9a-f]{64}$/i],
  ["Bitcoin", new RegExp(`^(bitcoin:)?(bc|tb|bcrt)1${data32}{6,100}$`, "i")],
  ["Litecoin", new RegExp(`^(litecoin:)?(ltc|tltc)1${data32}{6,100}$`, "i")],
  ["Bitcoin Cash", new RegExp(`^bitcoincash:[qp]${data32}{41}$`, "i")],
  ["Cardano", new RegExp(`^(addr|addr_test|stake)1${data32}{6,100}$`, "i")],
  ["Cosmos", new RegExp(`^(cosmos|osmo|celestia|inj|terra|juno|kava)1${data32}{6,64}$`, "i")],
  ["BNB Beacon Chain", new RegExp(`^(bnb|tbnb)1${data32}{6,64}$`, "i")],
  ["Tron", new RegExp(`^T${base58}{33}$`)],
  ["Bitcoin", new RegExp(`^(bitcoin:)?[13mn2]${base58}{25,34}$`)],
  ["Litecoin", new RegExp(`^(litecoin:)?[LM]${base58}{26,33}$`)],
  ["Dogecoin", new RegExp(`^(dogecoin:)?D${base58}{33}$`)],
  ["XRP Ledger", new RegExp(`^r${base58}{24,34}$`)],
  ["Polkadot", new RegExp(`^1${base58}{46,47}$`)],
  ["Monero", new RegExp(`^[48]${base58}{94}$`)],
  ["TON", /^[EU]Q[A-Za-z0-9_-]{46}$/],
  ["Stellar", /^G[A-Z2-7]{55}$/],
  ["Solana", new RegExp(`^(solana:)?${base58}{43,44}$`)],
];

/** The real chain whose addresses look like `text`, or null. Checksums are not verified. */
export function findRealChain(text: string): string | null {
  return forms.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
