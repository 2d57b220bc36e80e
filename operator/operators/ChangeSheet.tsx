import { useState } from "react";
import { useIntl } from "react-intl";
import type { OperatorView } from "#api/operator/operators.ts";
import { resetFactors } from "#api/routes/operator/factors.ts";
import {
  getOperators,
  removeOperator,
  setRole as setRoleCall,
} from "#api/routes/operator/operators.ts";
import { hashCode } from "#core/operator/code.ts";
import type { Role } from "#core/operator/permissions.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { useText } from "#i18n/useText.ts";
import { invalidateMe } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { CopyCode, createCode, ShownCode } from "#operator/operators/OneTimeCode.tsx";
import { RoleChoice } from "#operator/operators/RoleChoice.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * Gives an operator another role, or removes them. The person sees the reason. Stays rendered while
 * the sheet closes.
 */
export function ChangeSheet({
  operator,
  onClose,
}: {
  operator: OperatorView | null;
  onClose: () => void;
}) {
  const [lastOperator, setLastOperator] = useState(operator);
  if (operator && operator !== lastOperator) setLastOperator(operator);
  return (
    <Sheet
      open={operator !== null}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={lastOperator?.name ?? lastOperator?.operator_id.slice(0, 8) ?? ""}
    >
      {lastOperator ? (
        <Change key={lastOperator.operator_id} operator={lastOperator} onDone={onClose} />
      ) : null}
    </Sheet>
  );
}

function Change({ operator, onDone }: { operator: OperatorView; onDone: () => void }) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { role, setRole, reason, setReason, isReasonMissing, code, error, ...act } = useChange(
    operator,
    onDone,
  );
  if (code) {
    return (
      <div className="flex flex-col gap-4">
        <ShownCode code={code.text}>
          {t("console.reset.give", {
            name: operator.name ?? operator.operator_id.slice(0, 8),
            time: formatDate(code.untilMs, { dateStyle: "medium", timeStyle: "short" }),
          })}
        </ShownCode>
        <CopyCode code={code.text} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <RoleChoice value={role} onChange={setRole} />
      <Field
        label={t("console.change.why")}
        hint={t("console.change.whyHint")}
        error={isReasonMissing ? t("console.change.whyForm") : undefined}
      >
        <TextInput value={reason} onChange={setReason} maxLength={500} autoComplete="off" />
      </Field>
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <Button
        block
        busy={act.busy.change}
        disabled={role === operator.role || (act.busy.any && !act.busy.change)}
        onClick={act.change}
      >
        {t("console.change.do")}
      </Button>
      <Button
        block
        variant="danger"
        busy={act.busy.removal}
        disabled={act.busy.any && !act.busy.removal}
        onClick={act.remove}
      >
        {t("console.remove.do")}
      </Button>
      {operator.me ? null : (
        <div className="flex flex-col gap-2 border-t border-line pt-4">
          <p className="text-small text-ink-soft">{t("console.reset.text")}</p>
          <Button
            block
            variant="outline"
            busy={act.busy.reset}
            disabled={act.busy.any && !act.busy.reset}
            onClick={act.reset}
          >
            {t("console.reset.do")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The three things that can be done to an operator, each with the reason that they will read. */
function useChange(operator: OperatorView, onDone: () => void) {
  const change = useOperatorMutation(setRoleCall);
  const removal = useOperatorMutation(removeOperator);
  const reset = useOperatorMutation(resetFactors);
  const [role, setRole] = useState<Role>(operator.role);
  const [code, setCode] = useState<{ text: string; untilMs: number } | null>(null);
  const [reason, setReason] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { operator_id: id } = operator;
  const run = async (work: () => Promise<unknown>) => {
    setIsSubmitted(true);
    if (reason.trim() === "") return false;
    await work();
    void invalidateMe();
    void invalidate(getOperators);
    return true;
  };
  const runAndClose = (work: () => Promise<unknown>) =>
    void run(work).then(
      (isDone) => {
        if (isDone) onDone();
      },
      () => undefined,
    );
  const resetFactor = async () => {
    const text = createCode();
    const input = { operator_id: id, code_hash: bytesToHex(hashCode(text)!), why: reason.trim() };
    const { data } = await reset.send(input);
    setCode({ text, untilMs: data.expires_at_ms });
  };
  const busy = change.isBusy || removal.isBusy || reset.isBusy;
  const removalInput = { operator_id: id, why: reason.trim() };
  return {
    role,
    setRole,
    reason,
    setReason,
    isReasonMissing: isSubmitted && reason.trim() === "",
    code,
    error: change.error ?? removal.error ?? reset.error,
    busy: { any: busy, change: change.isBusy, removal: removal.isBusy, reset: reset.isBusy },
    change: () => runAndClose(() => change.send({ ...removalInput, role })),
    remove: () => runAndClose(() => removal.send(removalInput)),
    reset: () => void run(resetFactor).catch(() => undefined),
  };
}
