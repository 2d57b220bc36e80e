import { type RefObject, useLayoutEffect, useRef, useState } from "react";

export interface AvailableSpace {
  /** The element's offset from the top of the page, in pixels. */
  top: number;
  /** The height from there to the foot of the window, without the frame's part. */
  height: number;
}

/**
 * The space an element can fill without scrolling. Measured, because what is above and below it
 * belongs to the frame: its bars differ by width, and notes come and go.
 */
export function useAvailableSpace<Target extends HTMLElement>(): {
  ref: RefObject<Target | null>;
  room: AvailableSpace | null;
} {
  const ref = useRef<Target>(null);
  const [room, setRoom] = useState<AvailableSpace | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    const frame = element?.closest("main");
    if (!element || !frame) return undefined;
    const measure = () => {
      const top = Math.round(element.getBoundingClientRect().top + window.scrollY);
      const foot = Number.parseFloat(getComputedStyle(frame).paddingBottom) || 0;
      const height = Math.floor(window.innerHeight - top - foot);
      setRoom((last) => (last?.top === top && last.height === height ? last : { top, height }));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(frame);
    window.addEventListener("resize", measure);
    return () => {
      resized.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, []);
  return { ref, room };
}
