import { Button } from "#ui/Button.tsx";
import { Progress } from "#ui/figures/Progress.tsx";

interface UploadProgressProps {
  /** Share already sent, 0 to 100. */
  percent: number;
  /** The progress as a sentence. */
  text: string;
  label: string;
  /** Label of the button that cancels the upload. */
  cancelLabel: string;
  onCancel: () => void;
}

/** Upload progress of a picture, with a cancel button. */
export function UploadProgress({
  percent,
  text,
  label,
  cancelLabel,
  onCancel,
}: UploadProgressProps) {
  return (
    <div className="flex flex-col gap-3">
      <output className="text-small">{text}</output>
      <Progress value={percent} label={label} text={text} />
      <Button variant="quiet" block onClick={onCancel}>
        {cancelLabel}
      </Button>
    </div>
  );
}
