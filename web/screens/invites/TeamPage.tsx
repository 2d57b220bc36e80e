import { useIntl } from "react-intl";
import { getInviteInfo } from "#api/routes/invites.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Page } from "#ui/Page.tsx";
import { Link } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { InvitesSignedIn } from "#web/features/invites/InvitesSignedIn.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { Invited } from "#web/screens/invites/Invited.tsx";
import { Members } from "#web/screens/invites/Members.tsx";

/**
 * `/uc-team`: who joined by the person's link and what was rewarded; and how the person joined, if
 * invited.
 */
export default function TeamPage() {
  const t = useText();
  return (
    <Page title={t("invites.team.title")}>
      <InvitesSignedIn>
        <Team />
      </InvitesSignedIn>
    </Page>
  );
}

function Team() {
  const { formatNumber } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const info = useApiQuery(getInviteInfo, {});
  if (info.error) {
    return <ErrorNote onRetry={() => void info.refetch()}>{errorMessage(info.error)}</ErrorNote>;
  }
  if (!info.data) return <SkeletonRows count={6} />;
  const { joined, finished, rewarded_amount: amount, reward, invited } = info.data;
  const figures = [
    ["joined", formatNumber(joined)],
    ["finished", formatNumber(finished)],
    ["rewarded", <Amount key="rewarded" value={amount} coin={reward.coin} />],
  ] as const;
  return (
    <>
      <dl className="grid grid-cols-3 gap-3 px-4 pt-2">
        {figures.map(([name, value]) => (
          <div key={name} className="flex min-w-0 flex-col-reverse justify-end">
            <dd className="text-body font-strong">{value}</dd>
            <dt className="text-caption break-words text-ink-faint hyphens-auto">
              {t(`invites.team.${name}`)}
            </dt>
          </div>
        ))}
      </dl>
      <div className="px-4 pt-5">
        <Link to="/share" className={buttonClass({ block: true })}>
          {t("invites.share.title")}
        </Link>
      </div>
      <Members coin={reward.coin} />
      {invited ? <Invited invited={invited} /> : null}
    </>
  );
}
