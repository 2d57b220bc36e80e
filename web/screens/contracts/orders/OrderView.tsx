import { useEffect, useRef } from "react";
import { findOrderStatus } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { QueryError } from "#web/lib/api/QueryError.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { OrderBody } from "./OrderDetails.tsx";
import { OrderHeading } from "./OrderHeading.tsx";
import { buildReceiptUrl } from "./receiptUrl.ts";

/** One order outside a sheet: beside the list, or at its own address. Its heading takes focus. */
export default function OrderView({ orderId }: { orderId: string }) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const query = useApiQuery(findOrderStatus, { order_id: orderId });
  const order = query.data;
  const loadedId = order?.order_id;
  useEffect(() => {
    if (loadedId !== undefined) heading.current?.focus({ preventScroll: true });
  }, [loadedId]);
  if (!order) return query.error ? <QueryError query={query} /> : <SkeletonRows />;
  return (
    <section className="px-4">
      <h2 ref={heading} tabIndex={-1} data-page-heading="" className="py-2 text-title">
        <OrderHeading order={order} />
      </h2>
      <OrderBody order={order} />
      {order.status === "over" ? (
        <Link to={buildReceiptUrl(order)} className={`${buttonClass({ block: true })} mt-5`}>
          {t("contracts.order.receipt")}
        </Link>
      ) : null}
    </section>
  );
}
