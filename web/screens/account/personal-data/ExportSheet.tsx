import { useEffect, useRef, useState } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { saveFile } from "#web/lib/saveFile.ts";
import { downloadExport } from "#web/screens/account/personal-data/download.ts";

type State =
  | { is: "ready" }
  | { is: "reading"; bytes: number }
  | { is: "saved"; bytes: number; name: string }
  | { is: "failed"; failure: unknown };

/** Downloads everything this instance holds about the person as one archive, with progress. */
export default function ExportSheet({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const size = useSize();
  const { state, start } = useExport();
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t("personal-data.export.title")}
      description={t("personal-data.export.text")}
      actions={
        <Button block busy={state.is === "reading"} onClick={() => void start()}>
          {t("personal-data.export.do")}
        </Button>
      }
    >
      <ul className="list-disc pl-5 text-small text-ink-soft">
        {["account", "money", "files", "instance"].map((name) => (
          <li key={name}>{t(`personal-data.export.${name}`)}</li>
        ))}
      </ul>
      <p className="mt-3 text-small text-ink-soft">{t("personal-data.export.keep")}</p>
      <output className="mt-3 block min-h-5 text-small">
        {state.is === "reading"
          ? t("personal-data.export.reading", { size: size(state.bytes) })
          : state.is === "saved"
            ? t("personal-data.export.saved", { name: state.name, size: size(state.bytes) })
            : null}
      </output>
      {state.is === "failed" ? <ErrorNote>{errorMessage(state.failure)}</ErrorNote> : null}
    </Sheet>
  );
}

function useExport() {
  const [state, setState] = useState<State>({ is: "ready" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    setState({ is: "reading", bytes: 0 });
    try {
      const onBytes = (bytes: number) => setState({ is: "reading", bytes });
      const { name, archive } = await downloadExport(onBytes, controller.signal);
      saveFile(name, archive, "application/zip");
      setState({ is: "saved", bytes: archive.size, name });
    } catch (error) {
      if (!controller.signal.aborted) setState({ is: "failed", failure: error });
    }
  };
  return { state, start };
}

/** Formats a size for the locale, in units of 1 000. */
function useSize() {
  const { formatNumber } = useIntl();
  return (bytes: number) =>
    bytes < 1_000_000
      ? formatNumber(Math.ceil(bytes / 1000), { style: "unit", unit: "kilobyte" })
      : formatNumber(bytes / 1_000_000, {
          style: "unit",
          unit: "megabyte",
          maximumFractionDigits: 1,
        });
}
