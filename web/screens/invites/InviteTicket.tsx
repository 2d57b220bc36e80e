import { IconCopy, IconPhotoDown, IconShare } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copy.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { QrCode } from "#ui/QrCode.tsx";
import { isLoopback } from "#web/lib/isLoopback.ts";
import { saveFile } from "#web/lib/saveFile.ts";
import { drawShareImage } from "#web/screens/invites/shareImage.ts";

/** Link, code and QR code of an invitation, to copy, share or save as a picture. */
export function InviteTicket({ code }: { code: string }) {
  const t = useText();
  const link = `${window.location.origin}/home?invite=${code}`;

  const copy = async (text: string) => {
    toast(t((await copyText(text)) ? "ui.copy.done" : "ui.copy.failed"));
  };
  const share = async () => {
    if (typeof navigator.share !== "function") return copy(link);
    try {
      await navigator.share({ title: "Drydock", text: t("invites.share.text"), url: link });
    } catch (error) {
      // Dismissing the system's share sheet is not an error.
      if (!(error instanceof DOMException && error.name === "AbortError")) await copy(link);
    }
  };
  const keep = async () => {
    const { host } = window.location;
    const words = { mark: t("invites.image.mark"), title: t("invites.image.title") };
    const image = await drawShareImage(link, { ...words, code, host });
    if (image) saveFile(`drydock-practice-${code}.png`, image, image.type);
    else toast(t("invites.share.imageFailed"));
  };

  return (
    <div className="px-4 pt-4">
      <div className="flex flex-col items-center gap-3 rounded-dock border border-line bg-leaf p-4">
        <QrCode text={link} label={t("invites.share.qr")} className="w-52" />
        <div className="flex w-full flex-col divide-y divide-line">
          <Line
            label={t("invites.share.code")}
            text={code}
            copyLabel={t("invites.share.copyCode")}
            onCopy={() => void copy(code)}
          />
          <Line
            label={t("invites.share.link")}
            text={link}
            copyLabel={t("invites.share.copyLink")}
            onCopy={() => void copy(link)}
          />
        </div>
      </div>
      {isLoopback(window.location.hostname) ? (
        <p className="mt-3 text-small text-warning">{t("invites.share.loopback")}</p>
      ) : null}
      <div className="mt-4 flex flex-col gap-2">
        <Button
          block
          icon={<IconShare size={20} aria-hidden="true" />}
          onClick={() => void share()}
        >
          {t("invites.share.do")}
        </Button>
        <Button
          block
          variant="outline"
          icon={<IconPhotoDown size={20} aria-hidden="true" />}
          onClick={() => void keep()}
        >
          {t("invites.share.image")}
        </Button>
      </div>
    </div>
  );
}

function Line({
  label,
  text,
  copyLabel,
  onCopy,
}: {
  label: string;
  text: string;
  copyLabel: string;
  onCopy: () => void;
}) {
  return (
    <div className="flex items-center gap-2 py-1">
      <div className="min-w-0 flex-1">
        <div className="text-caption text-ink-faint">{label}</div>
        <div className="font-mono text-small break-all">{text}</div>
      </div>
      <IconButton label={copyLabel} onClick={onCopy}>
        <IconCopy size={20} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
