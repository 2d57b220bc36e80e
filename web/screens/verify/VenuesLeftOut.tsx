import { useIntl } from "react-intl";
import { getVenues } from "#api/routes/market.ts";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** Which quotes of a live market do not count now, why, and since when; nothing in other markets. */
export function VenuesLeftOut() {
  const { formatList, formatTime } = useIntl();
  const t = useText();
  const { data } = useApiQuery(getVenues, {}, { refetchMs: 10_000 });
  if (!data?.left_out) return null;
  const { venues, left_out: rows } = data;
  return (
    <Section
      title={t("verify.log.venues")}
      note={t("verify.log.venues.note", { venues: formatList(venues) })}
    >
      {rows.length === 0 ? <p className="py-3">{t("verify.log.venues.all")}</p> : null}
      {rows.map(({ venue, symbol, reason, since_ms }) => (
        <Row
          key={`${venue} ${symbol}`}
          label={`${venue} ${symbol}`}
          hint={t(`verify.log.venues.${reason}`)}
          value={t("verify.log.venues.since", {
            time: formatTime(since_ms, { timeStyle: "medium", timeZone: "UTC" }),
          })}
        />
      ))}
    </Section>
  );
}
