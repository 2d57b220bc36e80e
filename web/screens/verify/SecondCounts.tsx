import { useIntl } from "react-intl";
import { getSeconds } from "#api/routes/market.ts";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** How many seconds were closed lately, and how many are missing for which reason. */
export function SecondCounts() {
  const { formatNumber } = useIntl();
  const t = useText();
  const { data } = useApiQuery(getSeconds, {}, { refetchMs: 10_000 });
  if (!data?.day) return null;
  return (
    <Section title={t("verify.log.seconds")} note={t("verify.log.seconds.note")}>
      {(["day", "month"] as const).map((span) => {
        const counts = data[span];
        if (!counts) return null;
        const missingCount = counts.overload + counts.downtime;
        return (
          <Row
            key={span}
            label={t(`verify.log.seconds.${span}`)}
            hint={t("verify.log.seconds.counts", { ...counts, missing: missingCount })}
            value={formatNumber(missingCount)}
          />
        );
      })}
    </Section>
  );
}
