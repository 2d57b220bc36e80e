import { useText } from "#i18n/useText.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";

/** The kind of market this world runs on, and who can know its path. */
export function MarketNote() {
  const t = useText();
  const config = useConfig();
  if (!config) return null;
  const { kind, speed } = config.world.market;
  return (
    <p className="text-small text-ink-soft">
      {t(`contracts.market.${kind}`)}
      {speed === 1 ? null : ` ${t("contracts.market.speed", { speed })}`}
    </p>
  );
}
