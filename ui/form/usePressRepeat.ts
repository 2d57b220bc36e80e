import { useCallback, useEffect, useRef } from "react";

const firstMs = 600;
const nextMs = 200;

/** Runs `act` on press, again after 600 ms of holding, and every 200 ms from then on. */
export function usePressRepeat(act: () => void) {
  const latestAct = useRef(act);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    latestAct.current = act;
  }, [act]);
  const stop = useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  useEffect(() => stop, [stop]);
  const start = useCallback(() => {
    stop();
    latestAct.current();
    const repeat = () => {
      latestAct.current();
      timer.current = window.setTimeout(repeat, nextMs);
    };
    timer.current = window.setTimeout(repeat, firstMs);
  }, [stop]);
  return { start, stop };
}
