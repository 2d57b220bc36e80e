import { useIntl } from "react-intl";
import type { Pool } from "#api/hosting.ts";

/** Which market a pool runs on, since a simulated or repeated one can be known before. */
export function MarketSentence({ market }: { market: Pool["market"] }) {
  const { formatMessage } = useIntl();
  return (
    <p className="text-small text-ink-soft">
      {formatMessage({ id: `hosting.market.${market.kind}` }, { speed: market.speed })}
    </p>
  );
}
