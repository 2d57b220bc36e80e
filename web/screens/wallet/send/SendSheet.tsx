import { useIntl } from "react-intl";
import { checkRecipient, getRecipients, send } from "#api/routes/send.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { PinSheet } from "#web/features/pin/PinSheet.tsx";
import { usePinned } from "#web/features/pin/usePinned.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh } from "#web/lib/useApiQuery.ts";
import { RecipientNotes } from "./RecipientNotes.tsx";
import type { SendWish } from "./types.ts";

interface SendSheetProps {
  wish: SendWish;
  onSent: () => void;
  onClose: () => void;
}

/** Says once more what leaves and to whom, and that it is final; asks the PIN if one is set. Pressing again never sends twice. */
export function SendSheet({ wish, onSent, onClose }: SendSheetProps) {
  const { formatMessage } = useIntl();
  const say = (id: string) => formatMessage({ id });
  const { coin, amount, recipient } = wish;
  const { go, busy, failure, pin } = useSending(wish, onSent);
  return (
    <>
      <Sheet
        open
        onOpenChange={(open) => {
          if (!open && !busy) onClose();
        }}
        title={formatMessage({ id: "send.confirm.title" }, { coin })}
        actions={
          <>
            <Button block busy={busy} onClick={() => void go()}>
              {say("send.do")}
            </Button>
            <Button block variant="quiet" disabled={busy} onClick={onClose}>
              {say("send.back")}
            </Button>
          </>
        }
      >
        <Section className="-mx-4">
          <Row
            label={say("send.confirm.leaves")}
            value={<Amount value={amount} coin={coin} className="font-strong" />}
          />
          <Row label={say("send.confirm.fee")} value={<Amount value="0" coin={coin} />} />
          <Row label={say("send.network")} value={recipient.network} />
        </Section>
        <p className="mt-4 text-small text-ink-soft">{say("send.to")}</p>
        <p className="mt-1 font-mono text-body break-all">{recipient.address}</p>
        <div className="mt-4">
          <RecipientNotes recipient={recipient} />
        </div>
        <p className="mt-4 text-small">{say("send.confirm.final")}</p>
        {failure ? (
          <div className="mt-4">
            <ErrorNote>{failure}</ErrorNote>
          </div>
        ) : null}
      </Sheet>
      <PinSheet
        open={pin.asking}
        onOpenChange={(open) => {
          if (!open) pin.close();
        }}
        onPin={(typed) => void go(typed)}
        busy={busy}
        error={pin.error}
      />
    </>
  );
}

function useSending({ coin, amount, recipient }: SendWish, onSent: () => void) {
  const { send: place, busy } = useSend(send);
  const pinned = usePinned(async (pin) => {
    await place({ coin, amount, address: recipient.address, ...pin });
    onSent();
    await Promise.all([refresh(getWalletList), refresh(getRecipients), refresh(checkRecipient)]);
  });
  return { ...pinned, busy };
}
