import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useChoice } from "#web/lib/useChoice.ts";
import { Earnings } from "./record/Earnings.tsx";
import { Orders } from "./record/Orders.tsx";
import { PoolFilter, usePoolChoice } from "./record/PoolFilter.tsx";
import { useHostingUpdates } from "./useHostingUpdates.ts";

const tabs = ["processing", "over", "daily"] as const;

/**
 * `/ai/record?tab=&product_id=`: subscriptions and redemptions by status, and each day's result, of
 * all pools or one.
 */
export default function RecordPage() {
  const t = useText();
  const { status, signIn } = useSession();
  useHostingUpdates();
  return (
    <Page title={t("hosting.record.title")} back="/ai">
      {status === "loading" ? (
        <SkeletonRows />
      ) : status === "signed_out" ? (
        <Empty
          drawing={<MooringDrawing />}
          title={t("hosting.record.signed_out")}
          action={<Button onClick={signIn}>{t("hosting.sign_in")}</Button>}
        />
      ) : (
        <Records />
      )}
    </Page>
  );
}

function Records() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [tab, setTab] = useChoice("tab", tabs, "processing");
  const pool = usePoolChoice();
  const { products, poolId } = pool;
  return (
    <>
      <PoolFilter {...pool} />
      <Tabs
        label={t("hosting.record.title")}
        value={tab}
        onChange={setTab}
        tabs={tabs.map((value) => ({ value, label: t(`hosting.record.${value}`) }))}
      >
        {poolId === undefined ? (
          products.error ? (
            <div className="p-4">
              <ErrorNote onRetry={() => void products.refetch()}>
                {errorMessage(products.error)}
              </ErrorNote>
            </div>
          ) : (
            <SkeletonRows />
          )
        ) : tab === "daily" ? (
          <Earnings key={poolId} poolId={poolId} />
        ) : (
          <Orders key={`${tab} ${poolId}`} status={tab} poolId={poolId} />
        )}
      </Tabs>
    </>
  );
}
