import { Button } from "#ui/Button.tsx";
import { Progress } from "#ui/figures/Progress.tsx";

interface SendingProps {
  /** How much has been sent, 0 to 100. */
  percent: number;
  /** Says that, in a sentence. */
  text: string;
  label: string;
  /** On the button that stops it. */
  stop: string;
  onStop: () => void;
}

/** How much of the picture has been sent, and the way to stop it. */
export function Sending({ percent, text, label, stop, onStop }: SendingProps) {
  return (
    <div className="flex flex-col gap-3">
      <output className="text-small">{text}</output>
      <Progress value={percent} label={label} text={text} />
      <Button variant="quiet" block onClick={onStop}>
        {stop}
      </Button>
    </div>
  );
}
