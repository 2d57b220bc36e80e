import { useIntl } from "react-intl";
import { Button } from "#ui/Button.tsx";
import { Progress } from "#ui/figures/Progress.tsx";

/** How much of the picture has been sent, and the way to stop it. */
export function Sending({ percent, onCancel }: { percent: number; onCancel: () => void }) {
  const { formatMessage } = useIntl();
  const text = formatMessage(
    { id: percent < 100 ? "recharge.sending" : "recharge.reading" },
    { percent },
  );
  return (
    <div className="flex flex-col gap-3">
      <output className="text-small">{text}</output>
      <Progress value={percent} label={formatMessage({ id: "recharge.progress" })} text={text} />
      <Button variant="quiet" block onClick={onCancel}>
        {formatMessage({ id: "recharge.stop" })}
      </Button>
    </div>
  );
}
