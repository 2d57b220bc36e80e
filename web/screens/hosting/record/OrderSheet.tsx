import type { HostingOrder } from "#api/hosting/order.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Figure, useFormatWorldTime, usePoolName } from "../figures.tsx";

/**
 * One subscription or redemption: what went in, at which mark, what came out, and where to verify
 * it.
 */
export function OrderSheet({
  order,
  onClose,
}: {
  order: HostingOrder | null;
  onClose: () => void;
}) {
  const t = useText();
  return (
    <Sheet
      open={order !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={order ? t(`hosting.order.${order.action}`) : ""}
      actions={
        order?.status === "over" ? (
          <Link
            to={`/verify?hosting_order_id=${order.order_id}`}
            className={buttonClass({ variant: "outline", block: true })}
          >
            {t("hosting.check")}
          </Link>
        ) : undefined
      }
    >
      {order ? <Facts order={order} /> : null}
    </Sheet>
  );
}

function Facts({ order }: { order: HostingOrder }) {
  const t = useText();
  const { name } = usePoolName();
  const formatWorldTime = useFormatWorldTime();
  const amount = (id: string, value: string | null) =>
    value === null ? null : (
      <Row label={t(id)} value={<Amount value={value} coin={order.coin} />} />
    );
  const figure = (id: string, value: string | null) =>
    value === null ? null : <Row label={t(id)} value={<Figure value={value} />} />;
  return (
    <>
      {order.status === "processing" ? (
        <p className="pb-3 text-small text-ink-soft">
          {t(order.waiting_for ? `hosting.waiting.${order.waiting_for}` : "hosting.next_mark")}
        </p>
      ) : null}
      <div className="hairlines -mx-4 border-y border-line">
        <Row label={t("hosting.pool")} value={name(order.strategy)} />
        <Row
          label={t("hosting.order.state")}
          value={t(`hosting.order.${order.outcome ?? "waiting"}`)}
        />
        <Row label={t("hosting.order.accepted")} value={formatWorldTime(order.accepted_at_ms)} />
        {order.mark_at_ms === null ? null : (
          <Row label={t("hosting.order.mark")} value={formatWorldTime(order.mark_at_ms)} />
        )}
        {amount(
          order.action === "subscribe" ? "hosting.order.charged" : "hosting.redeem.worth.then",
          order.amount,
        )}
        {figure("hosting.units", order.units)}
        {figure("hosting.nav", order.nav)}
        {amount("hosting.redemption_fee", order.fee)}
        {amount("hosting.order.payout", order.payout)}
        <Row
          label={t("hosting.order.hash")}
          value={<Hash value={order.order_hash} label={t("hosting.order.hash")} />}
        />
      </div>
    </>
  );
}
