import { IconCamera, IconPhoto } from "@tabler/icons-react";
import { useEffect, useId, useState } from "react";
import { buttonClass } from "#ui/buttonClass.ts";
import { cx } from "#ui/cx.ts";

interface PickerWords {
  title: string;
  about: string;
  /** Alternative text of the preview. */
  preview: string;
  choose: string;
  chooseOther: string;
  camera: string;
}

export interface PicturePickerProps {
  words: PickerWords;
  /** Preview of the chosen picture. */
  url: string | null;
  onPick: (file: Blob) => void;
  error: string | null;
}

const types = "image/jpeg,image/png,image/webp";

/** Chooses a picture: from a file, the camera, drag and drop, or the clipboard. */
export function PicturePicker({ words, url, onPick, error }: PicturePickerProps) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const errorId = useId();
  usePaste(onPick);
  const drop = {
    onDragOver: (event: React.DragEvent) => {
      event.preventDefault();
      setIsDraggedOver(true);
    },
    onDragLeave: () => setIsDraggedOver(false),
    onDrop: (event: React.DragEvent) => {
      event.preventDefault();
      setIsDraggedOver(false);
      const file = event.dataTransfer.files[0];
      if (file) onPick(file);
    },
  };
  return (
    <fieldset className="flex flex-col gap-1.5" aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 text-small font-strong">{words.title}</legend>
      <div
        {...drop}
        className={cx(
          "flex flex-col items-center gap-3 rounded-dock border border-dashed p-4 transition-colors",
          isDraggedOver
            ? "border-signal-ink bg-signal-wash"
            : error
              ? "border-flare"
              : "border-line-strong",
        )}
      >
        {url ? (
          <img
            src={url}
            alt={words.preview}
            className="max-h-60 max-w-full rounded-[6px] border border-line object-contain"
          />
        ) : (
          <p className="text-center text-small text-ink-soft">{words.about}</p>
        )}
        <div className="flex w-full max-w-64 flex-col gap-2">
          <Choose
            label={url ? words.chooseOther : words.choose}
            icon={<IconPhoto size={18} aria-hidden="true" />}
            onPick={onPick}
          />
          <Choose
            label={words.camera}
            icon={<IconCamera size={18} aria-hidden="true" />}
            onPick={onPick}
            camera
          />
        </div>
      </div>
      <p id={errorId} aria-live="polite" className="text-small text-flare empty:hidden">
        {error}
      </p>
    </fieldset>
  );
}

function Choose({
  label,
  icon,
  onPick,
  camera,
}: {
  label: string;
  icon: React.ReactNode;
  onPick: (file: Blob) => void;
  camera?: boolean;
}) {
  return (
    <label
      className={cx(
        buttonClass({ variant: "outline", size: "small" }),
        "relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-signal-ink",
      )}
    >
      {icon}
      {label}
      <input
        type="file"
        accept={types}
        {...(camera ? { capture: "environment" as const } : {})}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Cleared so that choosing the same file again fires a change event.
          event.target.value = "";
          if (file) onPick(file);
        }}
      />
    </label>
  );
}

/** Accepts a picture pasted anywhere on the screen. Pasted text is left alone. */
function usePaste(onPick: (file: Blob) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])][0];
      if (!file) return;
      event.preventDefault();
      onPick(file);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [onPick]);
}
