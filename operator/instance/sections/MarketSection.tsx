import { useIntl } from "react-intl";
import type { InstanceView } from "#api/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { SeverityBadge } from "#operator/instance/SeverityBadge.tsx";
import { getVenueSeverity } from "#operator/instance/severity.ts";
import { Table } from "#operator/instance/Table.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The world's clock, the venues' quotes, the index computed from them, and the missing seconds. */
export function MarketSection({ view: { world, market } }: { view: InstanceView }) {
  const { locale } = useIntl();
  const t = useText();
  const { count, utc } = useFigures();
  const formatTime = (atMs: number | null) => (atMs === null ? t("instance.never") : utc(atMs));
  return (
    <>
      <Section title={t("instance.world")}>
        <Row
          label={world.name}
          hint={t(`console.market.${world.kind}`)}
          value={t("instance.speed", { speed: world.speed })}
        />
        <Row label={t("instance.worldTime")} hint={t(getClock(world))} value={utc(world.now_ms)} />
        <Row label={t("instance.firstSecond")} value={formatTime(world.first_second_ms)} />
        {world.end_ms === null ? null : (
          <Row label={t("instance.recordingEnds")} value={utc(world.end_ms)} />
        )}
        <Row label={t("instance.latestSecond")} value={formatTime(market.latest_second_ms)} />
        <Row
          label={t("instance.gaps")}
          hint={t("instance.gapsNote")}
          value={t("instance.missing", market.gaps.hour)}
          valueHint={t("instance.missingDay", market.gaps.day)}
        />
      </Section>
      <Section
        title={t("instance.venues")}
        note={t("instance.venuesNote", { count: market.looked_at })}
        action={<ExportLink table="venues" title={t("instance.venues")} />}
      >
        <Table
          label={t("instance.venues")}
          rows={market.venues}
          getKey={({ name }) => name}
          columns={[
            { id: "name", head: t("instance.venue"), cell: ({ name }) => name },
            {
              id: "state",
              head: t("instance.state"),
              cell: (venue) => (
                <SeverityBadge severity={getVenueSeverity(venue)}>
                  {t(`instance.venue.${getVenueSeverity(venue)}`)}
                </SeverityBadge>
              ),
            },
            {
              id: "fresh",
              head: t("instance.fresh"),
              isEndAligned: true,
              cell: ({ fresh, listed }) => t("instance.ofAll", { part: fresh, all: listed }),
            },
            {
              id: "last",
              head: t("instance.lastQuote"),
              isEndAligned: true,
              cell: ({ last_quote_ms: atMs }) =>
                atMs === null ? t("instance.notLately") : utc(atMs),
            },
          ]}
        />
      </Section>
      <Section
        title={t("instance.index")}
        note={t("instance.indexNote")}
        action={<ExportLink table="index" title={t("instance.index")} />}
      >
        <Table
          label={t("instance.index")}
          rows={market.index}
          getKey={({ symbol }) => symbol}
          columns={[
            { id: "symbol", head: t("instance.symbol"), cell: ({ symbol }) => symbol },
            {
              id: "price",
              head: t("instance.index"),
              isEndAligned: true,
              cell: ({ price }) =>
                price === null ? (
                  <SeverityBadge severity="bad">{t("instance.gap")}</SeverityBadge>
                ) : (
                  formatNumber(price, locale)
                ),
            },
            {
              id: "venues",
              head: t("instance.venuesFresh"),
              isEndAligned: true,
              cell: ({ fresh, venues }) => t("instance.ofAll", { part: fresh, all: venues }),
            },
            {
              id: "gaps",
              head: t("instance.gapsHour"),
              isEndAligned: true,
              cell: ({ gaps_hour: gaps }) => count(gaps),
            },
          ]}
        />
      </Section>
    </>
  );
}

function getClock({ paused, clock }: InstanceView["world"]): string {
  if (paused) return "instance.clock.paused";
  return clock === "driven" ? "instance.clock.driven" : "instance.clock.real";
}
