import { IconCopy } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { copyText } from "#ui/copy.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { toast } from "#ui/overlay/toast.ts";

export interface HashProps {
  value: string;
  /** The value's name ("Order hash"); part of the copy button's label. */
  label: string;
  /** Characters shown at each end. */
  ends?: number;
}

/** A long hexadecimal value or id, shortened in the middle, with a button that copies all of it. */
export function Hash({ value, label, ends = 6 }: HashProps) {
  const t = useText();
  const short =
    value.length > ends * 2 + 1 ? `${value.slice(0, ends)}…${value.slice(-ends)}` : value;
  return (
    <span className="inline-flex items-center">
      <span className="font-mono text-small" title={value}>
        {short}
      </span>
      <IconButton
        label={t("ui.copy.label", { what: label })}
        onClick={() => {
          void copyText(value).then((copied) =>
            toast(t(copied ? "ui.copy.done" : "ui.copy.failed")),
          );
        }}
        className="-my-2 -mr-2"
      >
        <IconCopy size={18} aria-hidden="true" />
      </IconButton>
    </span>
  );
}
