/**
 * Calls `beat` every `everyMs` real milliseconds until `stop`, one call at a time. A failure is
 * reported and otherwise ignored: the next beat counts.
 */
export function startHeartbeat(
  beat: () => Promise<void>,
  { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void },
): { stop(): void } {
  let isBeating = false;
  const beatOnce = async () => {
    if (isBeating) return;
    isBeating = true;
    await beat().catch(onError);
    isBeating = false;
  };
  const timer = setInterval(() => void beatOnce(), everyMs);
  return { stop: () => clearInterval(timer) };
}
