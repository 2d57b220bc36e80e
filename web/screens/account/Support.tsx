import { IconHelp, IconMessageCircle, IconReceipt } from "@tabler/icons-react";
import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { LeaveSheet } from "#web/features/leave-site/LeaveSheet.tsx";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { ViewCode } from "#web/screens/account/ViewCode.tsx";

const icon = { size: 22, stroke: 1.5, "aria-hidden": true } as const;

/** Links to verification, articles and support. */
export function Support({ ownUrl, signedIn }: { ownUrl: string | null; signedIn: boolean }) {
  const t = useText();
  return (
    <Section title={t("account.support")}>
      <Row
        to="/verify"
        leading={<IconReceipt {...icon} />}
        label={t("account.verify")}
        hint={t("account.verify.hint")}
      />
      <Row
        to="/help"
        leading={<IconHelp {...icon} />}
        label={t("account.help")}
        hint={t("account.help.hint")}
      />
      <OnlineService ownUrl={ownUrl} />
      {signedIn ? <ViewCode /> : null}
    </Section>
  );
}

/**
 * The user's own support link, otherwise the instance's; opened through a `LeaveSheet`. Says when
 * there is none.
 */
function OnlineService({ ownUrl }: { ownUrl: string | null }) {
  const t = useText();
  const config = useConfig();
  const [open, setOpen] = useState(false);
  const link = ownUrl ?? config?.chatLink ?? null;
  return (
    <>
      <Row
        leading={<IconMessageCircle {...icon} />}
        label={t("account.service")}
        hint={t(link ? "account.service.hint" : "account.service.none")}
        {...(link ? { onClick: () => setOpen(true) } : {})}
      />
      <LeaveSheet url={open ? link : null} onClose={() => setOpen(false)} />
    </>
  );
}
