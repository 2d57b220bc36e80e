import { useIntl } from "react-intl";
import type { ExchangeAtVenues } from "#api/exchange.ts";
import { getExchangeAtVenues } from "#api/routes/exchange.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

export interface AtVenuesProps {
  journalId: string;
}

type Step = ExchangeAtVenues["steps"][number];

/** Refetch interval, in real milliseconds, until the second after the exchange has closed. */
const pendingMs = 1_000;

/** The proceeds of the same exchange at each venue: its book, its fee and the wait. */
export default function AtVenuesBody({ journalId }: AtVenuesProps) {
  const t = useText();
  const { data } = useApiQuery(
    getExchangeAtVenues,
    { journal_id: journalId },
    { refetchMs: (answer) => (answer?.state === "pending" ? pendingMs : undefined) },
  );
  if (!data || data.state === "none") return null;
  const source = data.steps
    .flatMap(({ venues }) => venues)
    .find((item) => item.fee_source !== null);
  return (
    <>
      {data.state === "pending" ? (
        <Section title={t("exchange.venues")} kind="plain">
          <output className="text-small text-ink-soft">{t("exchange.venues.pending")}</output>
        </Section>
      ) : null}
      {data.steps.map((step, index) => (
        <Section
          key={step.symbol}
          title={
            data.steps.length === 1
              ? t("exchange.venues")
              : `${t("exchange.venues")} · ${step.symbol}`
          }
          note={
            index === data.steps.length - 1 ? <Note source={source?.fee_source ?? null} /> : null
          }
        >
          <Row
            label={t("exchange.venues.here")}
            value={<Amount value={step.received} coin={step.to} />}
          />
          {step.venues.map((venue) => (
            <VenueRow key={venue.venue} venue={venue} step={step} />
          ))}
        </Section>
      ))}
    </>
  );
}

function VenueRow({ venue, step }: { venue: Step["venues"][number]; step: Step }) {
  const { formatNumber } = useIntl();
  const t = useText();
  if (venue.received === null || venue.spread === null || venue.fee === null)
    return (
      <Row label={venue.venue} hint={t(`exchange.venues.${venue.why ?? "no_book"}`)} value="—" />
    );
  const amount = (key: string, value: string) => <Amount key={key} value={value} coin={step.to} />;
  return (
    <Row
      label={venue.venue}
      hint={
        <>
          {t("exchange.venues.fee", {
            percent: formatNumber(Number(venue.fee_bp) / 10_000, {
              style: "percent",
              maximumFractionDigits: 2,
            }),
            fee: amount("fee", venue.fee),
          })}{" "}
          {t("exchange.venues.spread", { spread: amount("spread", venue.spread) })}{" "}
          {venue.delay === null
            ? null
            : t("exchange.venues.delay", { delay: amount("delay", venue.delay) })}
        </>
      }
      value={<Amount value={venue.received} coin={step.to} />}
    />
  );
}

function Note({ source }: { source: string | null }) {
  const t = useText();
  return (
    <>
      {t("exchange.venues.note")} {source === null ? null : t("exchange.venues.source", { source })}
    </>
  );
}
