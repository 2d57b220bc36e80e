import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { readStoredSeed } from "#web/features/session/practice/keyStorage.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { browserStorage } from "#web/lib/storage.ts";
import { AccountSummary } from "#web/screens/account/AccountSummary.tsx";
import { Identity } from "#web/screens/account/Identity.tsx";
import { MyData } from "#web/screens/account/MyData.tsx";
import { Safety } from "#web/screens/account/Safety.tsx";
import { Settings } from "#web/screens/account/Settings.tsx";
import { SignOut } from "#web/screens/account/SignOut.tsx";
import { Support } from "#web/screens/account/Support.tsx";

/** The user's own page; when signed out, the sign-in and this browser's settings. */
export default function AccountPage() {
  const t = useText();
  const { status, user, signIn } = useSession();
  return (
    <Page
      title={t("account.title")}
      actions={user ? <SignOut /> : undefined}
      side={
        <>
          <Settings />
          <Support ownUrl={user?.custom_service_url ?? null} signedIn={user !== null} />
          <MyData signedIn={user !== null} />
        </>
      }
    >
      {user ? (
        <>
          <Identity user={user} />
          <AccountSummary />
          {browserStorage.read("class") === null ? null : (
            <Section>
              <Row to="/class" label={t("account.class")} hint={t("account.class.hint")} />
            </Section>
          )}
          <Safety />
        </>
      ) : status === "loading" ? (
        <SkeletonRows />
      ) : (
        <>
          <Empty
            drawing={<MooringDrawing />}
            title={t("account.signedOut")}
            action={<Button onClick={signIn}>{t("account.signIn")}</Button>}
          >
            {t(readStoredSeed() ? "account.signedOut.kept" : "account.signedOut.text")}
          </Empty>
          <Section>
            <Row
              to="/authorized-activity"
              label={t("wallet-requests.reader.title")}
              hint={t("account.reader.hint")}
            />
          </Section>
        </>
      )}
    </Page>
  );
}
