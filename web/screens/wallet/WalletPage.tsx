import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Page } from "#ui/Page.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { usePanes } from "#ui/useWide.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { Holdings } from "./Holdings.tsx";
import { RecordList } from "./RecordList.tsx";
import { SignedIn } from "./SignedIn.tsx";

const AttemptsView = lazyComponent(
  () => import("#web/screens/wallet/attempts/AttemptsView.tsx"),
  ["attempts"],
);
const AttemptView = lazyComponent(
  () => import("#web/screens/wallet/attempts/AttemptView.tsx"),
  ["attempts"],
);

const BookView = lazyComponent(
  () => import("#web/screens/wallet/address-book/BookView.tsx"),
  ["withdraw"],
);

const WhereView = lazyComponent(
  () => import("#web/screens/wallet/ResultBreakdown.tsx"),
  ["results"],
);

const PerformanceView = lazyComponent(
  () => import("#web/screens/wallet/performance/PerformanceView.tsx"),
  ["performance", "beliefs", "hosting"],
);

/**
 * `/wallet`: every coin and their total value; on wide screens the records beside them.
 * `do=attempts` compares the person's attempts, with `attempt=` it shows one; `do=addresses` is the
 * address book, `do=where` says where the money went, `do=results` shows the results of the days in
 * the address.
 */
export default function WalletPage() {
  const [query] = useSearchParams();
  const attemptId = query.get("attempt");
  if (query.get("do") === "addresses") return <AddressesPage />;
  if (query.get("do") === "where") return <WherePage />;
  if (query.get("do") === "results") return <ResultsPage />;
  if (query.get("do") !== "attempts") return <HomePage />;
  return attemptId === null ? <AttemptsPage /> : <AttemptPage attemptId={attemptId} />;
}

function HomePage() {
  const t = useText();
  const { status } = useSession();
  const panes = usePanes();
  return (
    <Page
      title={t("wallet.title")}
      side={
        panes && status === "signed_in" ? (
          <section>
            <h2 className="px-4 pt-3 font-strong">{t("wallet.records")}</h2>
            <RecordList coin={null} />
          </section>
        ) : undefined
      }
      actions={<HideButton />}
    >
      <SignedIn>
        <Holdings />
      </SignedIn>
    </Page>
  );
}

function AddressesPage() {
  const t = useText();
  return (
    <Page title={t("wallet.addresses")} back="/ucenter">
      <SignedIn>
        <BookView />
      </SignedIn>
    </Page>
  );
}

function WherePage() {
  const t = useText();
  return (
    <Page title={t("wallet.where")} back="/wallet" actions={<HideButton />}>
      <SignedIn>
        <WhereView />
      </SignedIn>
    </Page>
  );
}

function ResultsPage() {
  const t = useText();
  return (
    <Page title={t("results.own")} back="/wallet" actions={<HideButton />} grid>
      <SignedIn>
        <PerformanceView />
      </SignedIn>
    </Page>
  );
}

function AttemptsPage() {
  const t = useText();
  return (
    <Page title={t("wallet.attempts")} back="/wallet" actions={<HideButton />}>
      <SignedIn>
        <AttemptsView />
      </SignedIn>
    </Page>
  );
}

function AttemptPage({ attemptId }: { attemptId: string }) {
  const t = useText();
  const { status } = useSession();
  const panes = usePanes();
  if (panes && status === "signed_in") {
    return (
      <Page
        title={t("wallet.attempts")}
        back="/wallet"
        actions={<HideButton />}
        side={<AttemptView key={attemptId} attemptId={attemptId} />}
      >
        <AttemptsView />
      </Page>
    );
  }
  return (
    <Page title={t("wallet.attempt")} back="/wallet?do=attempts" actions={<HideButton />}>
      <SignedIn>
        <AttemptView key={attemptId} attemptId={attemptId} />
      </SignedIn>
    </Page>
  );
}

function HideButton() {
  const t = useText();
  const [hidden, setHidden] = useHideAmounts();
  return (
    <IconButton
      label={t(hidden ? "wallet.show" : "wallet.hide")}
      onClick={() => setHidden(!hidden)}
    >
      {hidden ? (
        <IconEyeOff size={20} aria-hidden="true" />
      ) : (
        <IconEye size={20} aria-hidden="true" />
      )}
    </IconButton>
  );
}
