import { useEffect, useState } from "react";
import { whenIdle } from "#ui/whenIdle.ts";

/**
 * True after the first render: once the browser is idle, or a pointer or key has been pressed.
 * Chunks that load from then on do not compete with it.
 */
export function useFirstRenderDone(): boolean {
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    const finish = () => setIsDone(true);
    const events = ["pointerdown", "keydown"];
    for (const event of events) window.addEventListener(event, finish, { once: true });
    const cancel = whenIdle(finish);
    return () => {
      cancel();
      for (const event of events) window.removeEventListener(event, finish);
    };
  }, []);
  return isDone;
}
