import { Suspense, useState } from "react";
import { getRechargeRules } from "#api/routes/recharge.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { RechargeCase } from "./RechargeCase.tsx";
import { RechargeForm } from "./RechargeForm.tsx";
import { RechargeList } from "./RechargeList.tsx";
import { useForm } from "./useForm.ts";

const VoucherMaker = deferredComponent(() => import("./VoucherMaker.tsx"));

/**
 * Recharge: draw a specimen voucher, submit its picture as on other platforms, and see by which
 * rule it is credited or refused.
 */
export default function RechargeView({ coin }: { coin: Coin }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [query] = useSearchParams();
  const rules = useApiQuery(getRechargeRules, {});
  const [shownId, setShownId] = useState(query.get("recharge"));
  const show = (id: string | null) => {
    setShownId(id);
    // The button may have been far down the page.
    window.scrollTo(0, 0);
  };
  const [isDrawing, setIsDrawing] = useState(false);
  const form = useForm(coin, rules.data);
  if (rules.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void rules.refetch()}>{errorMessage(rules.error)}</ErrorNote>
      </div>
    );
  }
  if (!rules.data) return <SkeletonRows />;
  return (
    <>
      {shownId ? (
        <RechargeCase key={shownId} id={shownId} onAgain={() => show(null)} />
      ) : (
        <>
          <p className="px-4 text-small text-ink-soft">{t("recharge.intro")}</p>
          <RechargeForm
            rules={rules.data}
            form={form}
            onDraw={() => setIsDrawing(true)}
            onSent={(id) => {
              form.clear();
              show(id);
            }}
          />
        </>
      )}
      <RechargeList coin={coin} onOpen={show} />
      {isDrawing ? (
        <Suspense fallback={null}>
          <VoucherMaker
            coin={coin}
            rules={rules.data}
            onUse={(picture, { network, amount }) => {
              form.setNetwork(network);
              form.setAmount(amount);
              setIsDrawing(false);
              void form.acceptFile(picture);
            }}
            onClose={() => setIsDrawing(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
