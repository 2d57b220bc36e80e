import { IconFileDescription } from "@tabler/icons-react";
import { type ChangeEvent, useRef, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { inputClass } from "#ui/form/TextInput.tsx";
import { Receipt } from "#web/features/receipt/Receipt.tsx";
import { readReceiptText, receiptTextMax } from "#web/screens/verify/readReceiptText.ts";

interface Props {
  /** The receipt being checked; null until one is given. */
  receipt: unknown;
  onReceipt: (receipt: unknown) => void;
}

/** Takes a receipt as a file or as text and checks it. Nothing is sent anywhere. */
export function ReceiptPanel({ receipt, onReceipt }: Props) {
  const t = useText();
  if (receipt === null) return <PastedReceipt onReceipt={onReceipt} />;
  return (
    <div className="pt-4">
      <Receipt receipt={receipt} />
      <div className="px-4 pt-3">
        <Button variant="quiet" onClick={() => onReceipt(null)}>
          {t("verify.receipt.other")}
        </Button>
      </div>
    </div>
  );
}

function PastedReceipt({ onReceipt }: { onReceipt: (receipt: unknown) => void }) {
  const t = useText();
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const check = (given: string) => {
    const read = readReceiptText(given);
    if (read.ok) onReceipt(read.receipt);
    else setError(t(`verify.receipt.${read.error}`));
  };
  const open = (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    event.target.value = "";
    if (!chosen) return;
    if (chosen.size > receiptTextMax) {
      setError(t("verify.receipt.too_large"));
      return;
    }
    chosen.text().then(check, () => setError(t("verify.receipt.unreadable")));
  };
  return (
    <div className="grid gap-5 px-4 pt-5">
      <p className="text-small text-ink-soft">{t("verify.receipt.intro")}</p>
      <Button
        variant="outline"
        block
        icon={<IconFileDescription size={20} aria-hidden="true" />}
        onClick={() => file.current?.click()}
      >
        {t("verify.receipt.open")}
      </Button>
      <input
        ref={file}
        type="file"
        accept="application/json,.json"
        onChange={open}
        className="sr-only"
        tabIndex={-1}
        aria-label={t("verify.receipt.open")}
      />
      <Field label={t("verify.receipt.paste")} error={error}>
        <textarea
          aria-label={t("verify.receipt.paste")}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setError(null);
          }}
          rows={6}
          spellCheck={false}
          autoCapitalize="off"
          className={`${inputClass} py-3 font-mono text-small`}
        />
      </Field>
      <Button block onClick={() => check(text)}>
        {t("verify.receipt.check")}
      </Button>
      <p className="text-small text-ink-faint">{t("verify.receipt.private")}</p>
    </div>
  );
}
