import { type Coin, coins } from "#core/money/coins.ts";

/**
 * The practice networks. They stand for Ethereum, Tron and Bitcoin, whose mistakes can be made here
 * at no cost; none of them exists anywhere. Which coins each carries stands with the coins. Source:
 * docs/rules/units.md, "Practice addresses".
 */
export const networkNames = ["peth", "ptron", "pbtc"] as const;

export type Network = (typeof networkNames)[number];

const carried: Readonly<Record<Coin, { networks: readonly Network[] }>> = coins;

/** Whether `name` is a practice network. */
export function isNetwork(name: string): name is Network {
  return (networkNames as readonly string[]).includes(name);
}

/** Whether `network` carries `coin`. */
export function carries(network: Network, coin: Coin): boolean {
  return carried[coin].networks.includes(network);
}

/** The networks that carry `coin`, in the order of the registry; never none. */
export function networksOf(coin: Coin): Network[] {
  return networkNames.filter((network) => carries(network, coin));
}
