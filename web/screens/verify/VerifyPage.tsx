import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Page } from "#ui/Page.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { ownReceiptNames } from "#web/screens/verify/ownReceiptNames.ts";
import { ReceiptPanel } from "#web/screens/verify/ReceiptPanel.tsx";

const OwnReceipt = lazyComponent(() => import("#web/screens/verify/OwnReceipt.tsx"), []);

const SpecimenReceipt = lazyComponent(() => import("#web/screens/verify/SpecimenReceipt.tsx"), []);

const PricePanel = lazyComponent(
  () => import("#web/screens/verify/PricePanel.tsx"),
  ["verify", "receipt"],
);
const LogPanel = lazyComponent(
  () => import("#web/screens/verify/LogPanel.tsx"),
  ["verify", "receipt"],
);

type VerifyTab = "receipt" | "price" | "log";

/**
 * `/verify`: checks a receipt, a price or the log itself in this browser. `?order_id=` opens that
 * order's receipt; likewise the other parameters of `ownReceipts`. `?specimen=` opens a specimen.
 */
export default function VerifyPage() {
  const t = useText();
  const [query] = useSearchParams();
  for (const name of ownReceiptNames) {
    const id = query.get(name);
    if (id) return <OwnReceipt key={id} name={name} id={id} />;
  }
  if (query.has("specimen")) return <SpecimenReceipt />;
  return (
    <Page title={t("verify.title")} back="/home">
      <VerifyTabs />
    </Page>
  );
}

function VerifyTabs() {
  const t = useText();
  const [query, setQuery] = useSearchParams();
  const requestedPart = query.get("part");
  const part: VerifyTab =
    requestedPart === "price" || requestedPart === "log" ? requestedPart : "receipt";
  const [keptReceipt, setKeptReceipt] = useState<unknown>(null);
  return (
    <Tabs<VerifyTab>
      label={t("verify.title")}
      value={part}
      onChange={(next) => setQuery(next === "receipt" ? {} : { part: next }, { replace: true })}
      tabs={(["receipt", "price", "log"] as const).map((value) => ({
        value,
        label: t(`verify.tab.${value}`),
      }))}
    >
      {part === "receipt" ? (
        <ReceiptPanel receipt={keptReceipt} onReceipt={setKeptReceipt} />
      ) : null}
      {part === "price" ? <PricePanel /> : null}
      {part === "log" ? <LogPanel /> : null}
    </Tabs>
  );
}
