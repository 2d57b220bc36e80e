/** Prices as sound: a higher price is a higher tone. Played only on request. */

const lowestHz = 220;
const highestHz = 880;
/** Listeners cannot distinguish more tones than this within a few seconds. */
const tonesMax = 48;
const toneSeconds = 0.09;

/**
 * The frequency of each tone, in hertz, null for a gap: two octaves from the lowest value to the
 * highest, equal steps for equal differences. Longer series are thinned evenly, first and last
 * kept; where nothing moves, every tone is the middle one.
 */
export function computeTones(values: readonly (number | null)[]): (number | null)[] {
  const sampled = downsample(values);
  const present = sampled.filter((value) => value !== null);
  const low = Math.min(...present);
  const span = Math.max(...present) - low;
  return sampled.map((value) =>
    value === null
      ? null
      : lowestHz * (highestHz / lowestHz) ** (span === 0 ? 0.5 : (value - low) / span),
  );
}

function downsample<Value>(values: readonly Value[]): Value[] {
  if (values.length <= tonesMax) return [...values];
  const step = (values.length - 1) / (tonesMax - 1);
  return Array.from({ length: tonesMax }, (_, i) => values[Math.round(i * step)] as Value);
}

let stopLast: () => void = () => {};

/**
 * Plays `values` from left to right; a gap is a rest. Returns a function that stops it early;
 * `onEnd` is called when it ended or was stopped.
 */
export function playTones(values: readonly (number | null)[], onEnd: () => void): () => void {
  stopLast();
  const audio = new AudioContext();
  const oscillator = new OscillatorNode(audio, { type: "triangle" });
  const volume = new GainNode(audio, { gain: 0 });
  oscillator.connect(volume).connect(audio.destination);
  const start = audio.currentTime + 0.05;
  const tones = computeTones(values);
  for (const [index, hertz] of tones.entries()) {
    const atSeconds = start + index * toneSeconds;
    if (hertz !== null) oscillator.frequency.setValueAtTime(hertz, atSeconds);
    volume.gain.setTargetAtTime(hertz === null ? 0 : 0.15, atSeconds, 0.01);
  }
  const end = start + tones.length * toneSeconds;
  volume.gain.setTargetAtTime(0, end, 0.02);
  oscillator.start(start);
  oscillator.stop(end + 0.2);
  const stop = () => {
    if (audio.state === "closed") return;
    void audio.close();
    onEnd();
  };
  oscillator.onended = stop;
  stopLast = stop;
  return stop;
}
