import { Button } from "#ui/Button.tsx";
import { Progress } from "#ui/figures/Progress.tsx";

interface SendingProps {
  /** Share already sent, 0 to 100. */
  percent: number;
  /** The same as a sentence. */
  text: string;
  label: string;
  /** Label of the button that cancels the upload. */
  stop: string;
  onStop: () => void;
}

/** Upload progress of a picture, with a cancel button. */
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
