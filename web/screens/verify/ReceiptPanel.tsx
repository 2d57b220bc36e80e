import { IconFileCheck, IconFileDescription } from "@tabler/icons-react";
import { type ChangeEvent, type ReactNode, useRef, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { inputClass } from "#ui/form/TextInput.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { MyReceipts } from "#web/screens/verify/MyReceipts.tsx";
import { type ReceiptFileError, readReceiptFile } from "#web/screens/verify/readReceiptFile.ts";
import { parseReceiptText } from "#web/screens/verify/readReceiptText.ts";
import { useFileDrop } from "#web/screens/verify/useFileDrop.ts";

const Receipt = lazyComponent(() => import("#web/features/receipt/Receipt.tsx"), []);

interface Props {
  /** The receipt or evidence being checked; null until one is given. */
  receipt: unknown;
  onReceipt: (receipt: unknown) => void;
}

/**
 * The person's own receipts and a specimen first; then takes a receipt or an evidence file, opened,
 * dropped or pasted, and checks it. Nothing is sent anywhere.
 */
export function ReceiptPanel({ receipt, onReceipt }: Props) {
  const t = useText();
  const [turn, setTurn] = useState(0);
  const [problem, setProblem] = useState<ReceiptFileError | null>(null);
  const take = async (files: readonly File[]) => {
    setProblem(null);
    const result = await readReceiptFile(files);
    if (!result.ok) {
      setProblem(result.error);
      return;
    }
    setTurn((before) => before + 1);
    onReceipt(result.receipt);
  };
  const isDraggedOver = useFileDrop((files) => void take(files));
  const file = (
    <FileChooser isOver={isDraggedOver} onFiles={(files) => void take(files)}>
      {problem ? <ErrorNote>{t(`verify.receipt.${problem}`)}</ErrorNote> : null}
    </FileChooser>
  );
  if (receipt === null) return <PastedReceipt file={file} onReceipt={onReceipt} />;
  return (
    <div className="pt-4">
      <Receipt key={turn} receipt={receipt} />
      <div className="grid gap-4 px-4 pt-6">
        {file}
        <Button variant="quiet" onClick={() => onReceipt(null)}>
          {t("verify.receipt.other")}
        </Button>
      </div>
    </div>
  );
}

interface ChooserProps {
  isOver: boolean;
  onFiles: (files: readonly File[]) => void;
  /** The error of the last file. */
  children: ReactNode;
}

/** Opens a file with a button; shows that files may be dropped, and where. */
function FileChooser({ isOver: isDraggedOver, onFiles, children }: ChooserProps) {
  const t = useText();
  const input = useRef<HTMLInputElement>(null);
  const open = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = "";
    if (files.length > 0) onFiles(files);
  };
  return (
    <div
      className={cx(
        "grid gap-3 rounded-dock border border-dashed p-4 transition-colors",
        isDraggedOver ? "border-signal-ink bg-signal-wash" : "border-line-strong",
      )}
    >
      <Button
        variant="outline"
        block
        icon={<IconFileDescription size={20} aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        {t("verify.receipt.open")}
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        onChange={open}
        // The button opens it: a screen reader would otherwise find the same control twice.
        hidden
      />
      <p
        className={cx(
          "text-center text-small text-ink-soft",
          // Hidden on touch screens, where files cannot be dragged.
          !isDraggedOver && "pointer-coarse:hidden",
        )}
        aria-live="polite"
      >
        {t(isDraggedOver ? "verify.receipt.dropping" : "verify.receipt.drop")}
      </p>
      {children}
    </div>
  );
}

function PastedReceipt({ file, onReceipt }: { file: ReactNode; onReceipt: Props["onReceipt"] }) {
  const t = useText();
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const check = () => {
    const result = parseReceiptText(text);
    if (result.ok) onReceipt(result.receipt);
    else setError(t(`verify.receipt.${result.error}`));
  };
  return (
    <>
      <MyReceipts />
      <Section title={t("verify.specimen")} className="mt-4!">
        <Row
          to="/verify?specimen=1"
          leading={<IconFileCheck size={24} stroke={1.5} aria-hidden="true" />}
          label={t("verify.specimen.do")}
          hint={t("verify.specimen.hint")}
        />
      </Section>
      <Section title={t("verify.receipt.file")} kind="plain">
        <div className="grid gap-5">
          <p className="text-small text-ink-soft">{t("verify.receipt.intro")}</p>
          {file}
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
          <Button block onClick={check}>
            {t("verify.receipt.check")}
          </Button>
          <p className="text-small text-ink-faint">{t("verify.receipt.private")}</p>
        </div>
      </Section>
    </>
  );
}
