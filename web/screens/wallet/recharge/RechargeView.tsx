import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "react-router";
import { getRechargeRules } from "#api/routes/recharge.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { RechargeCase } from "./RechargeCase.tsx";
import { RechargeForm } from "./RechargeForm.tsx";
import { RechargeList } from "./RechargeList.tsx";
import { useForm } from "./useForm.ts";

const Workshop = lazy(() => import("./VoucherWorkshop.tsx"));

/** Recharge: draw a specimen voucher, send its picture as anywhere else, and see by what rule it is credited or refused. */
export default function RechargeView({ coin }: { coin: Coin }) {
  const t = useText();
  const sentence = useSentence();
  const [query] = useSearchParams();
  const rules = useCall(getRechargeRules, {});
  const [shown, setShown] = useState(query.get("recharge"));
  const show = (id: string | null) => {
    setShown(id);
    // What was pressed may have been far down the page.
    window.scrollTo(0, 0);
  };
  const [drawing, setDrawing] = useState(false);
  const form = useForm(coin, rules.data);
  if (rules.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void rules.refetch()}>{sentence(rules.error)}</ErrorNote>
      </div>
    );
  }
  if (!rules.data) return <SkeletonRows />;
  return (
    <>
      {shown ? (
        <RechargeCase key={shown} id={shown} onAgain={() => show(null)} />
      ) : (
        <>
          <p className="px-4 text-small text-ink-soft">{t("recharge.intro")}</p>
          <RechargeForm
            rules={rules.data}
            form={form}
            onDraw={() => setDrawing(true)}
            onSent={(id) => {
              form.clear();
              show(id);
            }}
          />
        </>
      )}
      <RechargeList coin={coin} onOpen={show} />
      {drawing ? (
        <Suspense fallback={null}>
          <Workshop
            coin={coin}
            rules={rules.data}
            onUse={(picture, { network, amount }) => {
              form.setNetwork(network);
              form.setAmount(amount);
              setDrawing(false);
              void form.take(picture);
            }}
            onClose={() => setDrawing(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
