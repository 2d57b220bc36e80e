import { ApiError } from "#server/platform/apiError.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import { toNetwork, toSite } from "#server/platform/http/limits/network.ts";
import { createRateLimit } from "#server/platform/http/limits/rateLimit.ts";

/**
 * Accounts that one network (an IPv4 address, an IPv6 /48) may create as a burst, and as many again
 * each following hour: ten classes of thirty behind one address. Wallets are free, so one person
 * could otherwise use up what all people share.
 */
const perHour = 300;

/** Throws `session.too_many_sign_ups`. Counts in this process. */
export function createSignUpLimit(clock: RealClock): (ip: string) => void {
  const limit = createRateLimit({ perSecond: perHour / 3_600, burst: perHour }, clock);
  return (ip) => {
    const waitSeconds = limit.take(toSite(ip) ?? toNetwork(ip));
    if (waitSeconds === null) return;
    throw new ApiError("session.too_many_sign_ups", {
      retry_after_seconds: waitSeconds,
      minutes: Math.ceil(waitSeconds / 60),
    });
  };
}
