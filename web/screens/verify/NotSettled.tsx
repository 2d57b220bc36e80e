import { findOrderStatus } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { Link } from "#ui/router.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";

/** Replaces a receipt while its order is still running: the time left, and a link to the order. */
export function NotSettled({ orderId }: { orderId: string }) {
  const t = useText();
  const { data: order } = useApiQuery(findOrderStatus, { order_id: orderId });
  return (
    <Empty
      drawing={<MooringDrawing />}
      title={t("verify.waiting.title")}
      action={
        <Link
          to={order ? `/business?contract_id=${order.contract_id}` : "/business/orders"}
          className={buttonClass({ variant: "outline" })}
        >
          {t("verify.waiting.order")}
        </Link>
      }
    >
      <p>{t("verify.waiting.text")}</p>
      {order?.delivery_at_ms ? (
        <p className="mt-3">
          {t("verify.waiting.delivery")}{" "}
          <Countdown
            untilMs={order.delivery_at_ms}
            now={getWorldNowMs}
            className="font-strong text-ink"
          />
        </p>
      ) : null}
    </Empty>
  );
}
