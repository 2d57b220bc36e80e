import { type Coin, coins } from "#core/money/coins.ts";

/**
 * The practice networks. They represent Ethereum, Tron and Bitcoin, so that people can make here,
 * at no cost, the mistakes they would make there; none of them exists anywhere. Each coin lists the
 * networks that carry it. Source: docs/rules/units.md, "Practice addresses".
 */
export const networkNames = ["peth", "ptron", "pbtc"] as const;

export type Network = (typeof networkNames)[number];

const coinNetworks: Readonly<Record<Coin, { networks: readonly Network[] }>> = coins;

/** Returns true if `name` is a practice network. */
export function isNetwork(name: string): name is Network {
  return (networkNames as readonly string[]).includes(name);
}

/** Returns true if `network` carries `coin`. */
export function isCarriedBy(network: Network, coin: Coin): boolean {
  return coinNetworks[coin].networks.includes(network);
}

/** The networks that carry `coin`, in registry order; never empty. */
export function listNetworks(coin: Coin): Network[] {
  return networkNames.filter((network) => isCarriedBy(network, coin));
}
