import {
  IconGauge,
  IconId,
  IconKey,
  IconLock,
  IconShieldCheck,
  IconUserPlus,
  IconUsers,
} from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import { getSelfLimits } from "#api/routes/contracts.ts";
import { getRealNameInfo } from "#api/routes/identity.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { PinSettings } from "#web/features/pin/PinSettings.tsx";
import { BackupStep } from "#web/features/session/BackupStep.tsx";
import { isBackedUp, readStoredSeed } from "#web/features/session/practice/keyStorage.ts";
import { getUsedWallet } from "#web/features/session/walletStorage.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { getIdentityStatusId } from "#web/screens/account/Identity.tsx";

const LimitsSheet = lazyComponent(
  () => import("#web/features/limits/LimitsSheet.tsx"),
  ["contracts"],
  null,
);
const icon = { size: 22, stroke: 1.5, "aria-hidden": true } as const;

/** Account safety: verification, PIN, backup, what was signed, and the person's own limits. */
export function Safety() {
  const t = useText();
  const { data: identity } = useApiQuery(getRealNameInfo, {});
  return (
    <>
      <Section title={t("account.safety")}>
        <PinSettings leading={<IconLock {...icon} />} />
        <BackupRow />
        <Row
          to="/authorized-activity"
          leading={<IconShieldCheck {...icon} />}
          label={t("wallet-requests.title")}
          hint={t("account.authorized.hint")}
        />
        <Row
          to="/real_name"
          leading={<IconId {...icon} />}
          label={t("account.identity")}
          hint={t("account.identity.hint")}
          value={
            identity && identity.status !== "none" ? (
              <State>{t(getIdentityStatusId(identity))}</State>
            ) : undefined
          }
        />
        <LimitsRow />
      </Section>
      <Section title={t("account.people")}>
        <Row
          to="/share"
          leading={<IconUserPlus {...icon} />}
          label={t("account.invite")}
          hint={t("account.invite.hint")}
        />
        <Row to="/uc-team" leading={<IconUsers {...icon} />} label={t("account.team")} />
      </Section>
    </>
  );
}

function State({ children }: { children: string }) {
  return <span className="text-small text-ink-soft">{children}</span>;
}

/** The practice wallet's backup, if this browser has one. */
function BackupRow() {
  const t = useText();
  const [open, setOpen] = useState(false);
  const seed = readStoredSeed();
  if (!seed || getUsedWallet()?.kind === "browser") return null;
  return (
    <>
      <Row
        leading={<IconKey {...icon} />}
        label={t("sign-in.backup.do")}
        hint={
          isBackedUp() ? undefined : (
            <span className="text-warning">{t("account.backup.missing")}</span>
          )
        }
        onClick={() => setOpen(true)}
      />
      <Sheet open={open} onOpenChange={setOpen} title={t("sign-in.title.backup")}>
        <BackupStep seed={seed} onDone={() => setOpen(false)} />
      </Sheet>
    </>
  );
}

/** The person's own limits in a line: excluded, limited, or none. */
function LimitsRow() {
  const { formatDate } = useIntl();
  const t = useText();
  const { data } = useApiQuery(getSelfLimits, {});
  const [open, setOpen] = useState(false);
  const [hasOpened, setHasOpened] = useState(false);
  const now = () => {
    if (!data) return null;
    if (data.excluded_for_good) return t("account.limits.forGood");
    if (data.excluded_until_ms !== null) {
      const date = formatDate(data.excluded_until_ms, { dateStyle: "medium" });
      return t("account.limits.until", { date });
    }
    if (data.daily_loss_limit === null) return t("account.limits.none");
    return <Amount value={data.daily_loss_limit} coin="pUSDT" />;
  };
  return (
    <>
      <Row
        leading={<IconGauge {...icon} />}
        label={t("account.limits")}
        hint={t("account.limits.hint")}
        value={<span className="text-small text-ink-soft">{now()}</span>}
        onClick={() => {
          setHasOpened(true);
          setOpen(true);
        }}
      />
      {hasOpened ? <LimitsSheet open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
