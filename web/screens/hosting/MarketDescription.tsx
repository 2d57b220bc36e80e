import type { Pool } from "#api/hosting.ts";
import { useText } from "#i18n/useText.ts";

/** Which market a pool runs on, since a simulated or repeated one can be known before. */
export function MarketDescription({ market }: { market: Pool["market"] }) {
  const t = useText();
  return (
    <p className="text-small text-ink-soft">
      {t(`hosting.market.${market.kind}`, { speed: market.speed })}
    </p>
  );
}
