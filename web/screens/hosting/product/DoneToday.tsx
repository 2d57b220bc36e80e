import type { Pool } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";
import { Section } from "#ui/Section.tsx";
import { Moved } from "../figures.tsx";

/** The pool's trades today, in a sentence: most days, nothing. */
export function DoneToday({ pool }: { pool: Pool }) {
  const t = useText();
  const change = <Moved key="change" bp={pool.today_bp} />;
  return (
    <Section title={t("hosting.today")} kind="plain">
      <p>
        {pool.strategy === "hold"
          ? t("hosting.did.hold", { change })
          : t("hosting.did", { count: pool.trades_today, change })}
      </p>
    </Section>
  );
}
