import { useText } from "#i18n/useText.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";

/** The kind of market this world runs on, and what that means for trusting its path. */
export function MarketKind() {
  const t = useText();
  const world = useConfig()?.world;
  if (!world) return <p className="mt-4 min-h-10 px-4" />;
  const { kind, speed } = world.market;
  const statements = [
    t(`home.market.${kind}`, { world: world.name }),
    speed > 1 ? t("home.market.speed", { speed }) : "",
    world.paused ? t("home.market.paused") : "",
  ];
  return (
    <p className="mt-4 min-h-10 px-4 text-small text-ink-faint">
      {/* No space follows a Chinese or Japanese full stop. */}
      {statements.reduce((text, next) =>
        next && !text.endsWith("。") ? `${text} ${next}` : text + next,
      )}
    </p>
  );
}
