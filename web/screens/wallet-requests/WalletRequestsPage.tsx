import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { ClassConsent } from "#web/features/beliefs/ClassConsent.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { Agreed } from "#web/screens/wallet-requests/Agreed.tsx";
import { OpenSessions } from "#web/screens/wallet-requests/OpenSessions.tsx";
import { Reader } from "#web/screens/wallet-requests/Reader.tsx";

const SharedLinks = lazyComponent(
  () => import("#web/features/receipt-links/SharedLinks.tsx"),
  ["receipt-links"],
);

/**
 * This user's signatures and agreements, the open sessions, and a reader of wallet requests from
 * anywhere.
 */
export default function WalletRequestsPage() {
  const t = useText();
  const { status, signIn } = useSession();
  return (
    <Page title={t("wallet-requests.title")} back="/ucenter" side={<Reader />}>
      {status === "signed_in" ? (
        <>
          {/* The number of texts is unknown until loaded, so the sessions below stay hidden until then. */}
          <div className="[&:has([data-waits])+div]:hidden [&>.mt-8]:mt-2">
            <Agreed />
          </div>
          <div>
            <OpenSessions />
            <SharedLinks />
            <ClassConsent onlyAgreed />
          </div>
        </>
      ) : status === "loading" ? (
        <SkeletonRows />
      ) : (
        <Empty
          drawing={<MooringDrawing />}
          title={t("wallet-requests.signedOut")}
          action={<Button onClick={signIn}>{t("wallet-requests.signedOut.do")}</Button>}
        />
      )}
    </Page>
  );
}
