import { type ReactNode, useState } from "react";
import { getPin } from "#api/routes/pin.ts";
import { useText } from "#i18n/useText.ts";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { PinForm } from "#web/features/pin/PinForm.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** The state of the PIN, and the sheet that sets, changes or removes it. */
export default function PinSettingsRow({ leading }: { leading?: ReactNode }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [open, setOpen] = useState(false);
  const state = useApiQuery(getPin, {});
  const { data } = state;
  return (
    <>
      <Row
        leading={leading}
        label={t("pin.row")}
        hint={state.isError ? errorMessage(state.error) : t("pin.row.hint")}
        value={
          data ? (
            t(data.set ? "pin.on" : "pin.off")
          ) : state.isError ? null : (
            <Skeleton width="2rem" />
          )
        }
        onClick={() => {
          void state.refetch();
          if (data) setOpen(true);
        }}
      />
      {data ? (
        <Sheet
          open={open}
          onOpenChange={setOpen}
          title={t(data.set ? "pin.change" : "pin.set.title")}
        >
          {open ? <PinForm state={data} onDone={() => setOpen(false)} /> : null}
        </Sheet>
      ) : null}
    </>
  );
}
