import { useState } from "react";
import { clearErrors, getErrors } from "#api/routes/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

const choices = ["1", "7", "14"] as const;

/** Deletes reports by age; single reports cannot be picked. */
export function ClearSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useOperatorMutation(clearErrors);
  const [days, setDays] = useState<(typeof choices)[number]>("7");
  const clear = async () => {
    const { data } = await send({ older_than_days: Number(days) });
    void invalidate(getErrors);
    toast(t("instance.errors.cleared", { count: data.cleared }));
    onClose();
  };
  return (
    <Sheet
      open={isOpen}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("instance.errors.clear")}
    >
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">{t("instance.errors.clearText")}</p>
        <Segmented
          label={t("instance.errors.olderThan")}
          value={days}
          onChange={setDays}
          options={choices.map((value) => ({
            value,
            label: t("instance.errors.older", { count: Number(value) }),
          }))}
        />
        {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
        <Button
          block
          variant="danger"
          busy={isBusy}
          onClick={() => void clear().catch(() => undefined)}
        >
          {t("instance.errors.clearDo")}
        </Button>
      </div>
    </Sheet>
  );
}
