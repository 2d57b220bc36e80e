import { useIntl } from "react-intl";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { PinSettings } from "#web/app/pin/PinSettings.tsx";
import { useSession } from "#web/app/session/useSession.ts";
import { useConfig } from "#web/app/useConfig.ts";
import { BackupRow, BalanceSummary, Identity, SignOut } from "#web/ucenter/Account.tsx";
import { Settings } from "#web/ucenter/Settings.tsx";

/** The user's own page; signed out, the way in and the settings of this browser. */
export default function UcenterPage() {
  const { formatMessage } = useIntl();
  const { status, user, signIn } = useSession();
  const text = (id: string) => formatMessage({ id });
  return (
    <Page title={text("ucenter.title")} side={<Settings />}>
      {user ? (
        <>
          <Identity user={user} />
          <BalanceSummary />
          <Section title={text("ucenter.account")}>
            <Row to="/wallet-record" label={text("ucenter.records")} />
            <Row to="/business/orders" label={text("ucenter.orders")} />
            <Row
              to="/authorized-activity"
              label={text("authorized.title")}
              hint={text("ucenter.authorized.hint")}
            />
            <PinSettings />
            <BackupRow />
          </Section>
        </>
      ) : status === "loading" ? (
        <SkeletonRows />
      ) : (
        <>
          <Empty
            drawing={<MooringDrawing />}
            title={text("ucenter.signedOut")}
            action={<Button onClick={signIn}>{text("ucenter.signIn")}</Button>}
          >
            {text("ucenter.signedOut.text")}
          </Empty>
          <Section>
            <Row
              to="/authorized-activity"
              label={text("authorized.reader.title")}
              hint={text("ucenter.reader.hint")}
            />
          </Section>
        </>
      )}
      <Section title={text("ucenter.support")}>
        <Row to="/verify" label={text("ucenter.verify")} hint={text("ucenter.verify.hint")} />
        <Row to="/help" label={text("ucenter.help")} hint={text("ucenter.help.hint")} />
        <OnlineService ownUrl={user?.custom_service_url ?? null} />
      </Section>
      {user ? <SignOut /> : null}
    </Page>
  );
}

/** Opens the user's own support link, else the one of this instance; says so when there is none. */
function OnlineService({ ownUrl }: { ownUrl: string | null }) {
  const { formatMessage } = useIntl();
  const config = useConfig();
  const link = ownUrl ?? config?.chatLink ?? null;
  return (
    <Row
      label={formatMessage({ id: "ucenter.service" })}
      hint={link ? undefined : formatMessage({ id: "ucenter.service.none" })}
      {...(link
        ? {
            onClick: () => {
              if (/^https?:\/\//.test(link)) window.open(link, "_blank", "noopener,noreferrer");
              else toast(formatMessage({ id: "ucenter.service.none" }));
            },
          }
        : {})}
    />
  );
}
