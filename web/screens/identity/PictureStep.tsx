import { IconShieldX } from "@tabler/icons-react";
import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { PicturePicker } from "#web/features/picture/PicturePicker.tsx";
import { useConfig } from "#web/lib/api/useConfig.ts";
import { checkPicture, type PictureCheck } from "./checkPicture.ts";
import type { VerifyFormState } from "./useVerifyForm.ts";

type PictureError = Extract<PictureCheck, { ok: false }>["error"];

export interface PictureStepProps {
  form: VerifyFormState;
  isMissing: boolean;
  /** Another picture was chosen: earlier messages are not about it. */
  onChange: () => void;
}

/**
 * The picture of the document. One that is not a specimen is refused here, before any of it is
 * sent.
 */
export function PictureStep({ form, isMissing, onChange }: PictureStepProps) {
  const t = useText();
  const world = useConfig()?.world.name;
  const [pictureError, setPictureError] = useState<PictureError | null>(null);
  const [isReading, setIsReading] = useState(false);
  const take = async (file: Blob) => {
    if (world === undefined) return;
    onChange();
    setPictureError(null);
    form.setPicture(null);
    setIsReading(true);
    const check = await checkPicture(file, world);
    setIsReading(false);
    if (check.ok) form.setPicture(check.picture);
    else setPictureError(check.error);
  };
  return (
    <>
      <PicturePicker
        words={{
          title: t("identity.picture"),
          about: t("identity.pictureAbout"),
          preview: t("identity.preview"),
          choose: t("identity.choose"),
          chooseOther: t("identity.chooseOther"),
          camera: t("identity.camera"),
        }}
        url={form.picture?.url ?? null}
        onPick={(file) => void take(file)}
        error={isMissing && !form.picture && !pictureError ? t("identity.missingField") : null}
      />
      {isReading ? <output className="text-small">{t("identity.checking")}</output> : null}
      {pictureError ? (
        <div
          role="alert"
          className="flex gap-3 rounded-dock border border-flare bg-leaf p-4 text-small"
        >
          <IconShieldX size={22} className="mt-0.5 shrink-0 text-flare" aria-hidden="true" />
          <div className="flex flex-col gap-2">
            <p className="font-strong">{t("identity.refused")}</p>
            <p>{t(`identity.refused.${pictureError}`)}</p>
            <p className="text-ink-soft">{t("identity.refusedWhy")}</p>
          </div>
        </div>
      ) : null}
      <p className="text-small text-ink-soft">{t("identity.before")}</p>
    </>
  );
}
