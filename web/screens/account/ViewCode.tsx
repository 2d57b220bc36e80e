import { IconEye } from "@tabler/icons-react";
import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const ViewCodeSheet = lazyComponent(
  () => import("#web/screens/account/ViewCodeSheet.tsx"),
  ["viewing", "permissions"],
  null,
);

/**
 * Opens the sheet that makes a code for support and ends what it opened; `?support=code` opens it
 * directly.
 */
export function ViewCode() {
  const t = useText();
  const [params, setParams] = useSearchParams();
  const open = params.get("support") === "code";
  const [hasOpened, setHasOpened] = useState(open);
  if (open && !hasOpened) setHasOpened(true);
  const set = (next: boolean) =>
    setParams(
      (before) => {
        if (next) before.set("support", "code");
        else before.delete("support");
        return before;
      },
      { replace: true },
    );
  return (
    <>
      <Row
        leading={<IconEye size={22} stroke={1.5} aria-hidden="true" />}
        label={t("account.code")}
        hint={t("account.code.hint")}
        onClick={() => set(true)}
      />
      {hasOpened ? <ViewCodeSheet open={open} onOpenChange={set} /> : null}
    </>
  );
}
