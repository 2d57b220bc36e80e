import { useIntl } from "react-intl";
import { OrderList } from "../orders/OrderList.tsx";
import { useOrderUpdates } from "../orders/useOrderUpdates.ts";

/** Beside the markets, where there is room: the orders that still run. */
export default function OpenOrders() {
  const { formatMessage } = useIntl();
  useOrderUpdates();
  return (
    <section className="mb-8">
      <h2 className="px-4 py-3 font-strong">{formatMessage({ id: "contracts.orders.title" })}</h2>
      <OrderList
        status="waiting"
        contractId={null}
        empty={
          <p className="px-4 text-small text-ink-soft">
            {formatMessage({ id: "contracts.orders.none.waiting" })}
          </p>
        }
      />
    </section>
  );
}
