import type { Pool } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";

/**
 * The kind of market a pool runs on: the path of a simulated or replayed one can be known
 * beforehand.
 */
export function MarketDescription({ market }: { market: Pool["market"] }) {
  const t = useText();
  return (
    <p className="text-small text-ink-soft">
      {t(`hosting.market.${market.kind}`, { speed: market.speed })}
    </p>
  );
}
