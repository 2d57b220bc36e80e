import { useState } from "react";
import { useIntl } from "react-intl";
import { getOperators, inviteOperator } from "#api/routes/operator/operators.ts";
import { codeBytes, codeHash, writeCode } from "#core/operator/code.ts";
import type { Role } from "#core/operator/permissions.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { RoleChoice } from "#operator/operators/RoleChoice.tsx";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copy.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

const newCode = () => writeCode(crypto.getRandomValues(new Uint8Array(codeBytes)));

/**
 * Creates a one-time code in this browser: the server receives only its hash, so the code can be
 * shown only here and now.
 */
export function InviteSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, busy, error, reset } = useOperatorMutation(inviteOperator);
  const [role, setRole] = useState<Role>("support");
  const [code, setCode] = useState(newCode);
  const [until, setUntil] = useState<number | null>(null);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) {
      reset();
      setUntil(null);
      setCode(newCode());
    }
  }
  const invite = async () => {
    const hash = bytesToHex(codeHash(code)!);
    const { data } = await send({ code_hash: hash, role });
    setUntil(data.expires_at_ms);
    void invalidate(getOperators);
  };
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t(until === null ? "console.invite.title" : "console.invite.made")}
      actions={
        until === null ? (
          <>
            {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
            <Button block busy={busy} onClick={() => void invite().catch(() => undefined)}>
              {t("console.invite.do")}
            </Button>
          </>
        ) : (
          <>
            <Button
              block
              onClick={() =>
                void copyText(code).then((copied) =>
                  toast(t(copied ? "ui.copy.done" : "ui.copy.failed")),
                )
              }
            >
              {t("console.invite.copy")}
            </Button>
            <Button block variant="quiet" onClick={onClose}>
              {t("ui.close")}
            </Button>
          </>
        )
      }
    >
      {until === null ? (
        <RoleChoice value={role} onChange={setRole} />
      ) : (
        <div className="flex flex-col gap-3">
          <p
            className="rounded-dock bg-well p-4 text-center font-mono text-body break-words select-all"
            translate="no"
          >
            {code}
          </p>
          <p className="text-small text-ink-soft">
            {t("console.invite.give", {
              role: t(`powers.role.${role}`),
              time: formatDate(until, { dateStyle: "medium", timeStyle: "short" }),
            })}
          </p>
          <p className="text-small text-mind">{t("console.invite.once")}</p>
        </div>
      )}
    </Sheet>
  );
}
