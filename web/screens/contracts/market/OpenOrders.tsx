import { useText } from "#i18n/useText.ts";
import { OrderList } from "../orders/OrderList.tsx";
import { useOrderUpdates } from "../orders/useOrderUpdates.ts";

/** Open orders, beside the contracts on wide screens. */
export default function OpenOrders() {
  const t = useText();
  useOrderUpdates();
  return (
    <section className="mb-8">
      <h2 className="px-4 py-3 font-strong">{t("contracts.orders.title")}</h2>
      <OrderList
        status="waiting"
        contractId={null}
        empty={
          <p className="px-4 text-small text-ink-soft">{t("contracts.orders.none.waiting")}</p>
        }
      />
    </section>
  );
}
