import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Link } from "#ui/router.tsx";
import { OrderHeading } from "./OrderHeading.tsx";
import { OrderState } from "./OrderState.tsx";
import { buildReceiptUrl } from "./receiptUrl.ts";
import { useOrderPhase } from "./useOrderPhase.ts";

/** The steps of an order as they happen, each with why it is there and where it is proven. */
export default function OrderStory({ order }: { order: Order | undefined }) {
  const t = useText();
  return (
    <section aria-label={t("contracts.story.title")} className="px-4 pb-4">
      <h2 className="min-h-11 content-center font-strong">{t("contracts.story.title")}</h2>
      {order ? (
        <Steps order={order} />
      ) : (
        <p className="text-small text-ink-soft">{t("contracts.story.none")}</p>
      )}
    </section>
  );
}

function Steps({ order }: { order: Order }) {
  const t = useText();
  const { formatDate } = useIntl();
  const { phase } = useOrderPhase(order);
  const {
    bound_leaf: leaf,
    purchase_price: purchasePrice,
    selling_price: sellingPrice,
    net,
  } = order;
  const scale = order.price_scale;
  return (
    <>
      <p className="mb-3">
        <OrderHeading order={order} />
      </p>
      <ol className="flex flex-col gap-4 border-l border-line pl-4">
        <Step
          name={t("contracts.order.accepted")}
          value={formatDate(order.accepted_at_ms, { timeStyle: "medium" })}
          isDone
        />
        <Step
          name={t("contracts.order.leaf")}
          value={
            leaf === null ? null : (
              <Link to="/verify?part=log" className="text-signal-ink underline">
                {String(leaf)}
              </Link>
            )
          }
          why={t("contracts.story.bound")}
          isDone={leaf !== null}
        />
        <Step
          name={t("contracts.order.purchase")}
          value={purchasePrice === null ? null : <PriceText value={purchasePrice} scale={scale} />}
          isDone={purchasePrice !== null}
        />
        <Step
          name={t("contracts.order.selling")}
          value={
            sellingPrice === null ? (
              <OrderState order={order} phase={phase} />
            ) : (
              <PriceText value={sellingPrice} scale={scale} />
            )
          }
          why={t("contracts.story.window", { seconds: order.window_seconds })}
          isDone={sellingPrice !== null}
        />
        <Step
          name={t("contracts.order.net")}
          value={net === null ? null : <Amount value={net} coin={order.coin} signed toned />}
          isDone={net !== null}
        />
      </ol>
      {order.status === "over" ? (
        <Link
          to={buildReceiptUrl(order)}
          className="mt-3 inline-flex min-h-11 items-center text-small text-signal-ink underline"
        >
          {t("contracts.order.receipt")}
        </Link>
      ) : null}
    </>
  );
}

function Step({
  name,
  value,
  why,
  isDone,
}: {
  name: string;
  value: ReactNode;
  why?: string;
  isDone: boolean;
}) {
  return (
    <li className="relative text-small">
      <span
        aria-hidden="true"
        // Centred on the line at the left of the list.
        style={{ left: -21, top: 6 }}
        className={cx(
          "absolute size-2.5 rounded-full border border-ink",
          isDone ? "bg-ink" : "bg-paper",
        )}
      />
      <span className="flex items-baseline justify-between gap-3">
        <span className={cx(!isDone && "text-ink-soft")}>{name}</span>
        <span className="text-right">{value ?? "—"}</span>
      </span>
      {why ? <span className="block text-caption text-ink-faint">{why}</span> : null}
    </li>
  );
}
