import { useState } from "react";
import type { OperatorView } from "#api/operator/operators.ts";
import {
  getOperators,
  removeOperator,
  setRole as setRoleCall,
} from "#api/routes/operator/operators.ts";
import type { Role } from "#core/operator/permissions.ts";
import { useText } from "#i18n/useText.ts";
import { invalidateMe } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
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
  const [last, setLast] = useState(operator);
  if (operator && operator !== last) setLast(operator);
  return (
    <Sheet
      open={operator !== null}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={last?.name ?? last?.operator_id.slice(0, 8) ?? ""}
    >
      {last ? <Change key={last.operator_id} operator={last} onDone={onClose} /> : null}
    </Sheet>
  );
}

function Change({ operator, onDone }: { operator: OperatorView; onDone: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const change = useOperatorMutation(setRoleCall);
  const removal = useOperatorMutation(removeOperator);
  const [role, setRole] = useState<Role>(operator.role);
  const [why, setWhy] = useState("");
  const [tried, setTried] = useState(false);
  const { operator_id: id } = operator;
  const run = async (work: () => Promise<unknown>) => {
    setTried(true);
    if (why.trim() === "") return;
    await work();
    void invalidateMe();
    void invalidate(getOperators);
    onDone();
  };
  const error = change.error ?? removal.error;
  const busy = change.busy || removal.busy;
  return (
    <div className="flex flex-col gap-4">
      <RoleChoice value={role} onChange={setRole} />
      <Field
        label={t("console.change.why")}
        hint={t("console.change.whyHint")}
        error={tried && why.trim() === "" ? t("console.change.whyForm") : undefined}
      >
        <TextInput value={why} onChange={setWhy} maxLength={500} autoComplete="off" />
      </Field>
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <Button
        block
        busy={change.busy}
        disabled={role === operator.role || (busy && !change.busy)}
        onClick={() =>
          void run(() => change.send({ operator_id: id, role, why: why.trim() })).catch(
            () => undefined,
          )
        }
      >
        {t("console.change.do")}
      </Button>
      <Button
        block
        variant="danger"
        busy={removal.busy}
        disabled={busy && !removal.busy}
        onClick={() =>
          void run(() => removal.send({ operator_id: id, why: why.trim() })).catch(() => undefined)
        }
      >
        {t("console.remove.do")}
      </Button>
    </div>
  );
}
