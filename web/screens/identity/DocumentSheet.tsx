import { useEffect, useRef } from "react";
import type { IdentitySpecimen } from "#api/identity.ts";
import { stateFacts } from "#core/identity/documents.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { drawImage } from "#web/features/picture/specimenDrawing.ts";
import { saveFile } from "#web/lib/saveFile.ts";
import { drawDocument, sheet } from "./documentImage.ts";
import { IdentityRows } from "./IdentityRows.tsx";
import { useDocumentTexts } from "./words.ts";

export interface DocumentSheetProps {
  specimen: IdentitySpecimen;
  /** Absent while the form is already being filled in. */
  onFill?: (() => void) | undefined;
  onClose: () => void;
}

/** The fictional identity given to the person, and the picture of its document to save. */
export default function DocumentSheet({ specimen, onFill, onClose }: DocumentSheetProps) {
  const t = useText();
  const words = useDocumentTexts(specimen);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isUnmounted = false;
    // The font has usually loaded by now; drawn earlier, the sheet would use a fallback font.
    void document.fonts.ready.then(() => {
      if (!isUnmounted && canvas.current) drawDocument(canvas.current, specimen, words);
    });
    return () => {
      isUnmounted = true;
    };
  }, [specimen, words]);
  const store = async (type: "image/png" | "image/jpeg", extension: string) => {
    try {
      if (canvas.current) save(await drawImage(canvas.current, type), specimen, extension);
    } catch {
      toast(t("identity.notMade"));
    }
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={specimen.kind ? t(`identity.kind.${specimen.kind}`) : t("identity.kind.surprise")}
      description={t("identity.look")}
      actions={
        <>
          <div className="grid grid-cols-2 gap-2">
            <Button variant="outline" size="small" onClick={() => void store("image/png", "png")}>
              {t("identity.save", { type: "PNG" })}
            </Button>
            <Button variant="outline" size="small" onClick={() => void store("image/jpeg", "jpg")}>
              {t("identity.save", { type: "JPEG" })}
            </Button>
          </div>
          {onFill ? (
            <Button block onClick={onFill}>
              {t("identity.fill")}
            </Button>
          ) : null}
        </>
      }
    >
      <canvas
        ref={canvas}
        width={sheet.width}
        height={sheet.height}
        role="img" // oxlint-disable-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded
        aria-label={t("identity.sheet", {
          type: words.title,
          state: stateFacts[specimen.state].title,
        })}
        className="block h-auto w-full rounded-[6px]"
      />
      <p className="mt-3 text-small text-ink-soft">{t("identity.saveFirst")}</p>
      <h3 className="mt-5 pb-1 text-small font-strong">{t("identity.yours")}</h3>
      <div className="hairlines -mx-4 border-y border-line">
        <IdentityRows specimen={specimen} />
      </div>
    </Sheet>
  );
}

function save(picture: Blob, specimen: IdentitySpecimen, extension: string): void {
  const { document_type: type, specimen_id: id } = specimen;
  saveFile(`drydock-specimen-${type}-${id.slice(0, 6)}.${extension}`, picture, picture.type);
}
