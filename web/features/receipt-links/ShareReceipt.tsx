import { IconLink } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import { createReceiptLink, getReceiptLinks } from "#api/routes/receiptLinks.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copy.ts";
import { toast } from "#ui/overlay/toast.ts";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { buildLinkUrl, createLinkSecret } from "#web/features/receipt-links/linkSecret.ts";
import {
  getOrderId,
  type SharedDetail,
  useSharedFacts,
} from "#web/features/receipt-links/sharedFacts.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Makes a link to the person's own receipt, after saying what others will see through it. */
export default function ShareReceipt({ detail }: { detail: SharedDetail }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="outline"
        icon={<IconLink size={20} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t("receipt-links.share")}
      </Button>
      {open ? <ShareSheet detail={detail} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ShareSheet({ detail, onClose }: { detail: SharedDetail; onClose: () => void }) {
  const t = useText();
  const { formatDate } = useIntl();
  const errorMessage = useErrorMessage();
  const facts = useSharedFacts(detail);
  const { send, isBusy, error } = useApiMutation(createReceiptLink);
  // Kept for retries: the same secret is the same link.
  const [secret] = useState(createLinkSecret);
  const [expiresAtMs, setExpiresAtMs] = useState<number | null>(null);
  const make = async () => {
    const input = { secret, kind: detail.kind, order_id: getOrderId(detail) };
    const { data } = await send(input);
    setExpiresAtMs(data.expires_at_ms);
    await invalidate(getReceiptLinks);
  };
  const copy = async () =>
    toast(t((await copyText(buildLinkUrl(secret))) ? "ui.copy.done" : "ui.copy.failed"));
  if (expiresAtMs !== null) {
    return (
      <ConfirmSheet
        title={t("receipt-links.made")}
        notes={[
          t("receipt-links.made.once"),
          t("receipt-links.made.until", { date: formatDate(expiresAtMs, { dateStyle: "long" }) }),
        ]}
        action={{ verb: t("receipt-links.copy"), run: () => void copy() }}
        back={t("receipt-links.done")}
        busy={false}
        failure={null}
        onClose={onClose}
      >
        <p className="font-mono text-small break-all">{buildLinkUrl(secret)}</p>
      </ConfirmSheet>
    );
  }
  return (
    <ConfirmSheet
      title={t("receipt-links.ask")}
      facts={facts}
      warnings={[
        t("receipt-links.ask.anyone"),
        ...(detail.kind === "lease" && !detail.receipt.ended ? [t("receipt-links.ask.grows")] : []),
      ]}
      notes={[t("receipt-links.ask.not"), t("receipt-links.ask.until")]}
      action={{ verb: t("receipt-links.make"), run: () => void make().catch(() => {}) }}
      back={t("receipt-links.cancel")}
      busy={isBusy}
      failure={error ? errorMessage(error) : null}
      onClose={onClose}
    >
      <p className="text-small text-ink-soft">{t("receipt-links.ask.see")}</p>
    </ConfirmSheet>
  );
}
