export interface ProgressProps {
  /** 0 to 100; values outside are clamped. */
  value: number;
  label: string;
  /** The value in words ("7 of 10 samples"). */
  text?: string;
}

/** A progress bar. */
export function Progress({ value, label, text }: ProgressProps) {
  const percent = Math.min(100, Math.max(0, Number.isFinite(value) ? value : 0));
  return (
    <progress
      aria-label={label}
      aria-valuetext={text}
      max={100}
      value={percent}
      className="block h-1 w-full appearance-none overflow-hidden rounded-dock bg-well [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-well [&::-webkit-progress-value]:bg-ink"
    />
  );
}
