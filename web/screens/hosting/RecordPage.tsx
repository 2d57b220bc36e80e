import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useChoice } from "#web/lib/useChoice.ts";
import { Earnings } from "./record/Earnings.tsx";
import { Orders } from "./record/Orders.tsx";
import { useHostingUpdates } from "./useHostingUpdates.ts";

const tabs = ["processing", "over", "daily"] as const;

/** `/ai/record`: subscriptions and redemptions by status, and each day's result. */
export default function RecordPage() {
  const t = useText();
  const { status, signIn } = useSession();
  const [tab, setTab] = useChoice("tab", tabs, "processing");
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
        <Tabs
          label={t("hosting.record.title")}
          value={tab}
          onChange={setTab}
          tabs={tabs.map((value) => ({ value, label: t(`hosting.record.${value}`) }))}
        >
          {tab === "daily" ? <Earnings /> : <Orders key={tab} status={tab} />}
        </Tabs>
      )}
    </Page>
  );
}
