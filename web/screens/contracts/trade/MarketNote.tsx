import { useIntl } from "react-intl";
import { useConfig } from "#web/lib/useConfig.ts";

/** Which kind of market this world runs on, and who can know its path. */
export function MarketNote() {
  const { formatMessage } = useIntl();
  const config = useConfig();
  if (!config) return null;
  const { kind, speed } = config.world.market;
  return (
    <p className="text-small text-ink-soft">
      {formatMessage({ id: `contracts.market.${kind}` })}
      {speed === 1 ? null : ` ${formatMessage({ id: "contracts.market.speed" }, { speed })}`}
    </p>
  );
}
