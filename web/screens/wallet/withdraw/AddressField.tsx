import { IconBook2, IconClipboard, IconScan } from "@tabler/icons-react";
import { useState } from "react";
import { parseAddressUri } from "#core/addresses/addressUri.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { BookSheet } from "../address-book/BookSheet.tsx";
import { ScanSheet } from "../scan/ScanSheet.tsx";
import type { DestinationResult } from "./parseParams.ts";
import { useAddressNote } from "./useAddressNote.ts";
import { useDestinationErrorMessage } from "./useDestinationErrorMessage.ts";

interface AddressFieldProps {
  coin: Coin;
  value: string;
  onChange: (value: string) => void;
  read: DestinationResult;
  /** The button was pressed: an empty box is an error from then on. */
  checked: boolean;
}

/** A practice address: typed, pasted, scanned or picked. What is known about it is shown below. */
export function AddressField({ coin, value, onChange, read, checked }: AddressFieldProps) {
  const t = useText();
  const [bookOpen, setBookOpen] = useState(false);
  const [scanOpen, setScanOpen] = useState(false);
  const errorMessage = useDestinationErrorMessage(coin);
  const note = useAddressNote(read);
  const complains = !read.ok && (read.error === "empty" ? checked : true);
  const paste = async () => {
    try {
      onChange((await navigator.clipboard.readText()).trim());
    } catch {
      toast(t("withdraw.paste.failed"));
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t("withdraw.to")}
        hint={note.hint}
        error={complains ? errorMessage(read) : undefined}
      >
        <TextInput
          value={value}
          onChange={onChange}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          enterKeyHint="done"
          className="font-mono text-small!"
        />
      </Field>
      {note.warnings.map((text) => (
        <p key={text} className="text-small text-warning">
          {text}
        </p>
      ))}
      <div className="flex items-center gap-1">
        <Button
          variant="outline"
          size="small"
          icon={<IconBook2 size={18} aria-hidden="true" />}
          onClick={() => setBookOpen(true)}
          className="mr-auto"
        >
          {t("withdraw.book")}
        </Button>
        <IconButton label={t("withdraw.paste")} onClick={() => void paste()}>
          <IconClipboard size={20} aria-hidden="true" />
        </IconButton>
        <IconButton label={t("withdraw.scan")} onClick={() => setScanOpen(true)}>
          <IconScan size={20} aria-hidden="true" />
        </IconButton>
      </div>
      <ScanSheet
        open={scanOpen}
        onOpenChange={setScanOpen}
        onRead={(text) => {
          onChange(parseAddressUri(text).address);
          setScanOpen(false);
        }}
      />
      <BookSheet
        coin={coin}
        open={bookOpen}
        onOpenChange={setBookOpen}
        onPick={(address) => {
          onChange(address);
          setBookOpen(false);
        }}
      />
    </div>
  );
}
