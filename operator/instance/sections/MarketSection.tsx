import { useIntl } from "react-intl";
import type { InstanceView } from "#api/operator/instance.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { judgeVenue } from "#operator/instance/judge.ts";
import { State } from "#operator/instance/State.tsx";
import { Table } from "#operator/instance/Table.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The world's clock, what venues say, the index made of it, and the seconds that are missing. */
export function MarketPart({ view: { world, market } }: { view: InstanceView }) {
  const { formatMessage, locale } = useIntl();
  const { count, utc } = useFigures();
  const text = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  const noted = (atMs: number | null) => (atMs === null ? text("instance.never") : utc(atMs));
  return (
    <>
      <Section title={text("instance.world")}>
        <Row
          label={world.name}
          hint={text(`console.market.${world.kind}`)}
          value={text("instance.speed", { speed: world.speed })}
        />
        <Row
          label={text("instance.worldTime")}
          hint={text(clockOf(world))}
          value={utc(world.now_ms)}
        />
        <Row label={text("instance.firstSecond")} value={noted(world.first_second_ms)} />
        {world.end_ms === null ? null : (
          <Row label={text("instance.recordingEnds")} value={utc(world.end_ms)} />
        )}
        <Row label={text("instance.latestSecond")} value={noted(market.latest_second_ms)} />
        <Row
          label={text("instance.gaps")}
          hint={text("instance.gapsNote")}
          value={text("instance.missing", market.gaps.hour)}
          valueHint={text("instance.missingDay", market.gaps.day)}
        />
      </Section>
      <Section
        title={text("instance.venues")}
        note={text("instance.venuesNote", { count: market.looked_at })}
        action={<ExportLink table="venues" title={text("instance.venues")} />}
      >
        <Table
          label={text("instance.venues")}
          rows={market.venues}
          keyOf={({ name }) => name}
          columns={[
            { id: "name", head: text("instance.venue"), cell: ({ name }) => name },
            {
              id: "state",
              head: text("instance.state"),
              cell: (venue) => (
                <State judgement={judgeVenue(venue)}>
                  {text(`instance.venue.${judgeVenue(venue)}`)}
                </State>
              ),
            },
            {
              id: "fresh",
              head: text("instance.fresh"),
              end: true,
              cell: ({ fresh, listed }) => text("instance.ofAll", { part: fresh, all: listed }),
            },
            {
              id: "last",
              head: text("instance.lastQuote"),
              end: true,
              cell: ({ last_quote_ms: atMs }) =>
                atMs === null ? text("instance.notLately") : utc(atMs),
            },
          ]}
        />
      </Section>
      <Section
        title={text("instance.index")}
        note={text("instance.indexNote")}
        action={<ExportLink table="index" title={text("instance.index")} />}
      >
        <Table
          label={text("instance.index")}
          rows={market.index}
          keyOf={({ symbol }) => symbol}
          columns={[
            { id: "symbol", head: text("instance.symbol"), cell: ({ symbol }) => symbol },
            {
              id: "price",
              head: text("instance.index"),
              end: true,
              cell: ({ price }) =>
                price === null ? (
                  <State judgement="bad">{text("instance.gap")}</State>
                ) : (
                  formatNumber(price, locale)
                ),
            },
            {
              id: "venues",
              head: text("instance.venuesFresh"),
              end: true,
              cell: ({ fresh, venues }) => text("instance.ofAll", { part: fresh, all: venues }),
            },
            {
              id: "gaps",
              head: text("instance.gapsHour"),
              end: true,
              cell: ({ gaps_hour: gaps }) => count(gaps),
            },
          ]}
        />
      </Section>
    </>
  );
}

function clockOf({ paused, clock }: InstanceView["world"]): string {
  if (paused) return "instance.clock.paused";
  return clock === "driven" ? "instance.clock.driven" : "instance.clock.real";
}
