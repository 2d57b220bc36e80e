import { checkRecipient, getRecipients, send } from "#api/routes/send.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { usePinAction } from "#web/features/pin/usePinAction.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { RecipientNotes } from "./RecipientNotes.tsx";
import type { SendParams } from "./types.ts";

interface SendSheetProps {
  params: SendParams;
  onSent: () => void;
  onClose: () => void;
}

/**
 * Restates what leaves, to whom, and that it is final; asks for the PIN if one is set. Pressing
 * again never sends twice.
 */
export function SendSheet({ params, onSent, onClose }: SendSheetProps) {
  const t = useText();
  const { coin, amount, recipient } = params;
  const { pinned, isBusy } = useSending(params, onSent);
  return (
    <ConfirmSheet
      title={t("send.confirm.title", { coin })}
      facts={[
        {
          label: t("send.confirm.leaves"),
          value: <Amount value={amount} coin={coin} />,
          isOutcome: true,
        },
        { label: t("send.confirm.fee"), value: <Amount value="0" coin={coin} /> },
        { label: t("send.network"), value: recipient.network },
      ]}
      destination={{
        label: t("send.to"),
        address: recipient.address,
        notes: <RecipientNotes recipient={recipient} />,
      }}
      warnings={[t("send.confirm.final")]}
      action={{ verb: t("send.do"), run: () => void pinned.go() }}
      back={t("send.back")}
      busy={isBusy}
      failure={pinned.failure}
      pinned={pinned}
      onClose={onClose}
    />
  );
}

function useSending({ coin, amount, recipient }: SendParams, onSent: () => void) {
  const { send: sendCoins, isBusy } = useApiMutation(send);
  const pinAction = usePinAction(async (pin) => {
    await sendCoins({ coin, amount, address: recipient.address, ...pin });
    onSent();
    await Promise.all([
      invalidate(getWalletList),
      invalidate(getRecipients),
      invalidate(checkRecipient),
    ]);
  });
  return { pinned: pinAction, isBusy };
}
