import { IconClipboard, IconQrcode } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiError } from "#api/client.ts";
import type { Recipient } from "#api/send.ts";
import { parseAddressUri } from "#core/addresses/addressUri.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { ScanSheet } from "../scan/ScanSheet.tsx";
import { RecipientNotes } from "./RecipientNotes.tsx";
import type { CheckedRecipient } from "./types.ts";

interface RecipientFieldProps {
  coin: Coin;
  value: string;
  onChange: (address: string) => void;
  /** Called on blur: the typed text is now meant as final. */
  onLeft: () => void;
  check: UseQueryResult<CheckedRecipient, ApiError>;
  checked: boolean;
  recent: readonly Recipient[];
}

/**
 * The recipient: typed, pasted, scanned or a recent one, with what is known about the address
 * below.
 */
export function RecipientField(props: RecipientFieldProps) {
  const { coin, value, onChange, onLeft, check, checked, recent } = props;
  const t = useText();
  const errorMessage = useErrorMessage();
  const [scanning, setScanning] = useState(false);
  const take = (text: string) => {
    const uri = parseAddressUri(text);
    onChange(uri.address);
    if (uri.coin !== null && uri.coin !== coin) {
      toast(t("send.otherCoin", { asked: uri.coin, coin }));
    }
  };
  const paste = async () => {
    try {
      take(await navigator.clipboard.readText());
    } catch {
      toast(t("send.pasteFailed"));
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
          onChange={(text) => onChange(parseAddressUri(text).address)}
          onBlur={onLeft}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          className="font-mono text-small!"
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="outline"
          size="small"
          icon={<IconQrcode size={18} aria-hidden="true" />}
          onClick={() => setScanning(true)}
        >
          {t("send.scan")}
        </Button>
        <Button
          variant="outline"
          size="small"
          icon={<IconClipboard size={18} aria-hidden="true" />}
          onClick={() => void paste()}
        >
          {t("send.paste")}
        </Button>
      </div>
      {check.data && value !== "" ? <RecipientNotes recipient={check.data} /> : null}
      {value === "" && recent.length > 0 ? <Recent items={recent} onPick={onChange} /> : null}
      <ScanSheet
        open={scanning}
        onOpenChange={setScanning}
        onRead={(text) => {
          setScanning(false);
          take(text);
        }}
      />
    </div>
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
