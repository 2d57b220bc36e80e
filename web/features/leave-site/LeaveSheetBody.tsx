import { useState } from "react";
import { useIntl } from "react-intl";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import type { LeaveSheetProps } from "#web/features/leave-site/LeaveSheet.tsx";
import { readTarget } from "#web/features/leave-site/readTarget.ts";

/** The drawing of a `LeaveSheet`, loaded when the first one is opened. */
export default function LeaveSheetBody({ url, onClose }: LeaveSheetProps) {
  const { formatMessage } = useIntl();
  // Kept while the sheet slides away, so that its words do not change on the way.
  const [last, setLast] = useState(url);
  if (url !== null && url !== last) setLast(url);
  const target = readTarget(last ?? "");
  const stay = (
    <Button variant="outline" block onClick={onClose}>
      {formatMessage({ id: "leave.stay" })}
    </Button>
  );
  if (!target) {
    return (
      <Sheet
        open={url !== null}
        onOpenChange={(open) => open || onClose()}
        title={formatMessage({ id: "leave.broken" })}
        description={formatMessage({ id: "leave.broken.text" })}
        actions={stay}
      />
    );
  }
  const phone = target.kind === "phone";
  return (
    <Sheet
      open={url !== null}
      onOpenChange={(open) => open || onClose()}
      title={formatMessage({ id: phone ? "leave.call" : "leave.title" })}
      description={formatMessage({ id: phone ? "leave.call.text" : "leave.text" })}
      actions={
        <>
          <a
            href={target.href}
            {...(phone ? {} : { target: "_blank", rel: "noopener noreferrer" })}
            className={buttonClass({ block: true })}
            onClick={onClose}
          >
            <span className="min-w-0 break-all">
              {formatMessage({ id: phone ? "leave.dial" : "leave.open" }, { where: target.name })}
            </span>
          </a>
          {stay}
        </>
      }
    >
      <p className="rounded-dock border border-line bg-leaf p-3.5 font-strong break-all">
        {target.name}
      </p>
      {phone ? null : <p className="mt-2 text-small break-all text-ink-faint">{target.href}</p>}
      {target.kind === "plain" ? (
        <p className="mt-3 text-small text-mind">{formatMessage({ id: "leave.plain" })}</p>
      ) : null}
    </Sheet>
  );
}
