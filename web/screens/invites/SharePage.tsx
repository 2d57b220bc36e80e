import { getInviteInfo } from "#api/routes/invites.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { InvitesSignedIn } from "#web/features/invites/InvitesSignedIn.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { InviteTicket } from "#web/screens/invites/InviteTicket.tsx";
import { Rules } from "#web/screens/invites/Rules.tsx";

/**
 * `/share`: the person's link, code and picture, and why such rewards are a warning sign elsewhere.
 */
export default function SharePage() {
  const t = useText();
  const { status } = useSession();
  // Shares the column's request; on wide screens the rules are beside the picture.
  const info = useApiQuery(getInviteInfo, {}, { enabled: status === "signed_in" });
  const reward = status === "signed_in" ? info.data?.reward : undefined;
  return (
    <Page title={t("invites.share.title")} back="/uc-team" side={<Rules reward={reward} />}>
      <InvitesSignedIn>
        <Share />
      </InvitesSignedIn>
    </Page>
  );
}

function Share() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const info = useApiQuery(getInviteInfo, {});
  if (info.error) {
    return <ErrorNote onRetry={() => void info.refetch()}>{errorMessage(info.error)}</ErrorNote>;
  }
  if (!info.data) return <SkeletonRows count={6} />;
  return (
    <>
      <p className="px-4 pt-1 text-ink-soft">{t("invites.share.lead")}</p>
      <InviteTicket code={info.data.code} />
      <Section>
        <Row to="/uc-team" label={t("invites.team.open")} value={String(info.data.joined)} />
      </Section>
    </>
  );
}
