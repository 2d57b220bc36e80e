import type { Run } from "#api/hosting/run.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useFormatWorldTime } from "../figures.tsx";

/** The pool's assets at each venue, and in transit between them. */
export function Inventory({ run }: { run: Run }) {
  const t = useText();
  const formatWorldTime = useFormatWorldTime();
  const venueLabel = (venue: string) => venue || t("hosting.inventory.free");
  return (
    <Section title={t("hosting.inventory.title")}>
      {run.inventory.map(({ venue, coin, amount }) => (
        <Row
          key={`${venue} ${coin}`}
          label={venueLabel(venue)}
          value={<Amount short="worth" value={amount} coin={coin} />}
          className="min-h-11!"
        />
      ))}
      {run.moving.map(({ from, to, coin, amount, arrives_at_ms: arrivesAtMs }) => (
        <Row
          key={`${from} ${to} ${coin} ${arrivesAtMs}`}
          label={`${venueLabel(from)} → ${venueLabel(to)}`}
          hint={t("hosting.inventory.arrives", { when: formatWorldTime(arrivesAtMs) })}
          value={<Amount short="worth" value={amount} coin={coin} />}
        />
      ))}
    </Section>
  );
}
