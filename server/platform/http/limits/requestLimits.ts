import { createHash } from "node:crypto";
import type { RealClock } from "#server/platform/clock/clock.ts";
import type { Session, SessionResolver } from "#server/platform/http/session.ts";
import { toNetwork, toSite } from "./network.ts";
import { createRateLimit, createRateLimitError } from "./rateLimit.ts";

/**
 * The limits of one network per process, and of one person per world (docs/rules/wire.md). A class
 * of thirty behind one address opens the app, signs in and trades without meeting any of them
 * (server/app/classroom.test.ts).
 */
export const limits = {
  /** Every request of a network, pages and files among them. */
  requests: { perSecond: 300, burst: 18_000 },
  /** Requests that may cost more than a file: calls, the log, streams. */
  calls: { perSecond: 150, burst: 1_500 },
  /** The limit of an IPv6 site, as a multiple of a network's. */
  site: 4,
  /** Calls of one person, in all sessions together. */
  person: { perSecond: 30, burst: 60 },
  /** The cost to its network of a token without a session, in calls. */
  unknownToken: 10,
  /** Open streams. */
  socketsOfNetwork: 200,
  socketsOfPerson: 20,
} as const;

/** Unknown tokens that are remembered, so that each costs its network only one look-up. */
const unknownMax = 10_000;

export interface RequestLimits {
  /** Throws `request.too_many`. */
  admit(ip: string, isCall: boolean): void;
  /** Throws `request.too_many`. */
  admitPerson(userId: string): void;
  /** The session of a token; null if there is none, which counts against the network. */
  sessionOf(token: string, ip: string): Promise<Session | null>;
}

/** The limits per network and process, across all of its worlds. */
export interface NetworkLimits {
  requests: PerNetwork;
  calls: PerNetwork;
}

export function createNetworkLimits(clock: RealClock): NetworkLimits {
  return {
    requests: perNetwork("network_requests", limits.requests, clock),
    calls: perNetwork("network_calls", limits.calls, clock),
  };
}

/** The limits of networks may be shared by several worlds. */
export function createRequestLimits(
  resolve: SessionResolver,
  clock: RealClock,
  { requests, calls }: NetworkLimits = createNetworkLimits(clock),
): RequestLimits {
  const person = createRateLimit(limits.person, clock);
  // A token that is unknown stays unknown: sessions that ended never open again, and no one guesses
  // a new one beforehand.
  const unknownTokens = new Set<string>();
  return {
    admit: (ip, isCall) => {
      requests.take(ip);
      if (isCall) calls.take(ip);
    },
    admitPerson: (userId) => person.require(userId, "person_calls"),
    sessionOf: async (token, ip) => {
      const hash = createHash("sha256").update(token).digest("base64");
      if (unknownTokens.has(hash)) return null;
      const session = await resolve(token);
      if (session) return session;
      if (unknownTokens.size >= unknownMax) unknownTokens.clear();
      unknownTokens.add(hash);
      calls.charge(ip, limits.unknownToken);
      return null;
    },
  };
}

interface PerNetwork {
  take(ip: string): void;
  charge(ip: string, cost: number): void;
}

function perNetwork(
  name: string,
  figures: { perSecond: number; burst: number },
  clock: RealClock,
): PerNetwork {
  const networks = createRateLimit(figures, clock);
  const { perSecond, burst } = figures;
  const sites = createRateLimit(
    { perSecond: perSecond * limits.site, burst: burst * limits.site },
    clock,
  );
  return {
    take: (ip) => {
      const site = toSite(ip);
      const seconds = networks.take(toNetwork(ip)) ?? (site === null ? null : sites.take(site));
      if (seconds !== null) throw createRateLimitError(seconds, name);
    },
    charge: (ip, cost) => {
      const site = toSite(ip);
      networks.charge(toNetwork(ip), cost);
      if (site !== null) sites.charge(site, cost);
    },
  };
}
