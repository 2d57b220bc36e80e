import { useState } from "react";
import { useIntl } from "react-intl";
import { getOperators, inviteOperator } from "#api/routes/operator/operators.ts";
import { hashCode } from "#core/operator/code.ts";
import type { Role } from "#core/operator/permissions.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { CopyCode, createCode, ShownCode } from "#operator/operators/OneTimeCode.tsx";
import { RoleChoice } from "#operator/operators/RoleChoice.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * Creates a one-time code in this browser: the server receives only its hash, so the code can be
 * shown only here and now.
 */
export function InviteSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error, reset } = useOperatorMutation(inviteOperator);
  const [role, setRole] = useState<Role>("support");
  const [code, setCode] = useState(createCode);
  const [untilMs, setUntilMs] = useState<number | null>(null);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) {
      reset();
      setUntilMs(null);
      setCode(createCode());
    }
  }
  const invite = async () => {
    const hash = bytesToHex(hashCode(code)!);
    const { data } = await send({ code_hash: hash, role });
    setUntilMs(data.expires_at_ms);
    void invalidate(getOperators);
  };
  return (
    <Sheet
      open={isOpen}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t(untilMs === null ? "console.invite.title" : "console.invite.made")}
      actions={
        untilMs === null ? (
          <>
            {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
            <Button block busy={isBusy} onClick={() => void invite().catch(() => undefined)}>
              {t("console.invite.do")}
            </Button>
          </>
        ) : (
          <>
            <CopyCode code={code} />
            <Button block variant="quiet" onClick={onClose}>
              {t("ui.close")}
            </Button>
          </>
        )
      }
    >
      {untilMs === null ? (
        <RoleChoice value={role} onChange={setRole} />
      ) : (
        <ShownCode code={code}>
          {t("console.invite.give", {
            role: t(`permissions.role.${role}`),
            time: formatDate(untilMs, { dateStyle: "medium", timeStyle: "short" }),
          })}
        </ShownCode>
      )}
    </Sheet>
  );
}
