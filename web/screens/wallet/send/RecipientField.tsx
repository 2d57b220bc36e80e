import { IconBook2, IconClipboard, IconQrcode } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useIntl } from "react-intl";
import type { ApiError } from "#api/client.ts";
import type { Recipient } from "#api/send.ts";
import { parseAddressUri } from "#core/addresses/addressUri.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { BookSheet } from "../address-book/BookSheet.tsx";
import { ScanSheet } from "../scan/ScanSheet.tsx";
import { RecipientNotes } from "./RecipientNotes.tsx";
import type { CheckedRecipient } from "./types.ts";

interface RecipientFieldProps {
  coin: Coin;
  value: string;
  onChange: (address: string) => void;
  /** Takes the amount that a code asks for, in the wire's form. */
  onAmount: (amount: string) => void;
  /** Called on blur: the typed text is now meant as final. */
  onLeft: () => void;
  check: UseQueryResult<CheckedRecipient, ApiError>;
  checked: boolean;
  recent: readonly Recipient[];
}

/**
 * The recipient: typed, pasted, scanned, from the address book or a recent one, with what is known about the address
 * below.
 */
export function RecipientField(props: RecipientFieldProps) {
  const { coin, value, onChange, onAmount, onLeft, check, checked, recent } = props;
  const t = useText();
  const { locale } = useIntl();
  const errorMessage = useErrorMessage();
  const take = (text: string) => {
    const uri = parseAddressUri(text);
    onChange(uri.address);
    if (uri.coin !== null && uri.coin !== coin) {
      toast(t("send.otherCoin", { asked: uri.coin, coin }));
    } else if (uri.amount !== null) {
      onAmount(uri.amount);
      toast(t("send.amountFromCode", { amount: `${formatNumber(uri.amount, locale)} ${coin}` }));
    }
  };
  const error =
    value === ""
      ? checked
        ? t("send.enterAddress")
        : undefined
      : check.error
        ? errorMessage(check.error)
        : undefined;
  return (
    <div className="flex flex-col gap-2">
      <Field label={t("send.to")} hint={t("send.to.hint")} error={error}>
        <TextInput
          value={value}
          onChange={take}
          onBlur={onLeft}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          className="font-mono text-small!"
        />
      </Field>
      <Sources coin={coin} onText={take} onPick={onChange} />
      {check.data && value !== "" ? <RecipientNotes recipient={check.data} /> : null}
      {value === "" && recent.length > 0 ? <Recent items={recent} onPick={onChange} /> : null}
    </div>
  );
}

/** Where else the address can come from: the address book, a QR code, the clipboard. */
function Sources({
  coin,
  onText,
  onPick,
}: {
  coin: Coin;
  /** Takes an address or the URI of a QR code. */
  onText: (text: string) => void;
  onPick: (address: string) => void;
}) {
  const t = useText();
  const [isScanning, setIsScanning] = useState(false);
  const [bookOpen, setBookOpen] = useState(false);
  const paste = async () => {
    try {
      onText(await navigator.clipboard.readText());
    } catch {
      toast(t("send.pasteFailed"));
    }
  };
  const source = (id: string, Icon: typeof IconQrcode, onClick: () => void) => (
    <Button
      variant="outline"
      size="small"
      icon={<Icon size={18} aria-hidden="true" />}
      onClick={onClick}
    >
      {t(id)}
    </Button>
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {source("withdraw.book", IconBook2, () => setBookOpen(true))}
        {source("send.scan", IconQrcode, () => setIsScanning(true))}
        {source("send.paste", IconClipboard, () => void paste())}
      </div>
      <ScanSheet
        open={isScanning}
        onOpenChange={setIsScanning}
        onRead={(text) => {
          setIsScanning(false);
          onText(text);
        }}
      />
      <BookSheet
        coin={coin}
        open={bookOpen}
        onOpenChange={setBookOpen}
        onPick={(address) => {
          setBookOpen(false);
          onPick(address);
        }}
      />
    </>
  );
}

function Recent({
  items,
  onPick,
}: {
  items: readonly Recipient[];
  onPick: (address: string) => void;
}) {
  const t = useText();
  return (
    <section aria-label={t("send.recent")} className="mt-2">
      <h2 className="text-small font-strong">{t("send.recent")}</h2>
      <div className="hairlines -mx-4 mt-2 border-y border-line">
        {items.map(({ address, network, sent_before: times }) => (
          <Row
            key={address}
            label={<span className="font-mono text-small break-all">{address}</span>}
            hint={t("send.recentTimes", { network, times })}
            onClick={() => onPick(address)}
          />
        ))}
      </div>
    </section>
  );
}
