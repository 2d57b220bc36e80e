import type { Pool } from "#api/hosting/pool.ts";
import { getOrderList } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { Explained } from "#ui/Explained.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { Figure, Moved } from "#web/screens/hosting/figures.tsx";
import { refetchMs } from "#web/screens/hosting/useHostingUpdates.ts";

/** The person's holding in this pool, and when an order in it executes. */
export function OwnHolding({ pool }: { pool: Pool }) {
  const t = useText();
  const { mine } = pool;
  return (
    <Section title={t("hosting.mine")} kind="plain">
      {mine ? <Holding pool={pool} holding={mine} /> : null}
      <p className="text-small text-ink-soft">
        <Explained text={t("hosting.word.mark")}>{t("hosting.word.mark.name")}</Explained>
        {": "}
        {t("hosting.next_mark")}
      </p>
      {pool.state === "open" ? null : (
        <p className="pt-4">{t(`hosting.state.${pool.state}.text`)}</p>
      )}
    </Section>
  );
}

function Holding({ pool, holding }: { pool: Pool; holding: NonNullable<Pool["mine"]> }) {
  const t = useText();
  const amount = (value: string, signed = false) => (
    <Amount short="worth" value={value} coin={pool.coin} signed={signed} toned={signed} />
  );
  const pendingOrders = useApiQuery(
    getOrderList,
    { product_id: pool.product_id, status: "processing", page: 1, page_size: 10 },
    { refetchMs },
  );
  const orders = pendingOrders.data?.items.length ?? 0;
  return (
    <div className="hairlines -mx-4 mb-4 border-y border-line">
      <Row label={t("hosting.value")} value={amount(holding.value)} />
      <Row label={t("hosting.units")} value={<Figure value={holding.units} />} />
      {holding.units_blocked === "0" ? null : (
        <Row label={t("hosting.units_blocked")} value={<Figure value={holding.units_blocked} />} />
      )}
      {holding.waiting === "0" ? null : (
        <Row label={t("hosting.waiting_amount")} value={amount(holding.waiting)} />
      )}
      <Row
        label={t("hosting.result")}
        value={amount(holding.result, true)}
        valueHint={<Moved bp={holding.return_bp} />}
      />
      <Row label={t("hosting.today")} value={amount(holding.today, true)} />
      {holding.break_even_nav === null ? null : (
        <Row
          label={t("hosting.break_even_nav")}
          hint={t("hosting.break_even_nav.hint")}
          value={<Figure value={holding.break_even_nav} />}
        />
      )}
      <Row
        label={t("hosting.record.title")}
        value={orders > 0 ? t("hosting.record.waiting", { count: orders }) : ""}
        to="/ai/record"
      />
    </div>
  );
}
