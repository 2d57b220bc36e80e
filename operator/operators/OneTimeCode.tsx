import type { ReactNode } from "react";
import { codeBytes, writeCode } from "#core/operator/code.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copy.ts";
import { toast } from "#ui/overlay/toast.ts";

/** Made in this browser: the server receives only its hash. */
export const createCode = () => writeCode(crypto.getRandomValues(new Uint8Array(codeBytes)));

/** A code that can be shown only here and now. `children`: whom to give it to, and until when. */
export function ShownCode({ code, children }: { code: string; children: ReactNode }) {
  const t = useText();
  return (
    <div className="flex flex-col gap-3">
      <p
        className="rounded-dock bg-well p-4 text-center font-mono text-body break-words select-all"
        translate="no"
      >
        {code}
      </p>
      <p className="text-small text-ink-soft">{children}</p>
      <p className="text-small text-warning">{t("console.invite.once")}</p>
    </div>
  );
}

export function CopyCode({ code }: { code: string }) {
  const t = useText();
  return (
    <Button
      block
      onClick={() =>
        void copyText(code).then((isCopied) =>
          toast(t(isCopied ? "ui.copy.done" : "ui.copy.failed")),
        )
      }
    >
      {t("console.invite.copy")}
    </Button>
  );
}
