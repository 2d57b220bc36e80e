import type { Drawing, ThiefScene } from "#web/screens/help/thief/scenes.ts";
import { wrapText } from "#web/screens/help/thief/wrapText.ts";

/** Units of the picture, about one CSS pixel on a phone. */
export const pictureWidth = 320;
/** The band with the word for staged, along the upper and the lower edge. */
export const bandHeight = 30;
export const edge = 16;
const gap = 8;

export interface TextShape {
  size: number;
  /** Most lines that the part has room for. */
  lines: number;
}

/** The height of each kind of part, and the text drawn in it; charts have none. */
const kinds: Readonly<Record<Drawing, { height: number; text: TextShape | null }>> = {
  heading: { height: 52, text: { size: 16, lines: 2 } },
  line: { height: 56, text: { size: 14, lines: 2 } },
  figure: { height: 72, text: { size: 19, lines: 2 } },
  bubble: { height: 76, text: { size: 14, lines: 3 } },
  request: { height: 100, text: { size: 14, lines: 3 } },
  progress: { height: 76, text: { size: 14, lines: 2 } },
  tail: { height: 116, text: null },
  bars: { height: 116, text: null },
};

export const getTextShape = (drawing: Drawing): TextShape | null => kinds[drawing].text;

/** Width of a part's text: its number is drawn beside it. */
const textRoom = pictureWidth - 2 * edge - 48;

export function wrapPart(text: string, { size }: TextShape, locale: string): string[] {
  return wrapText(text, textRoom / size, locale);
}

interface PartBox {
  number: number;
  drawing: Drawing;
  y: number;
  height: number;
}

/** Where each part of a picture is, from top to bottom, and how tall the picture is. */
export function layOutPicture({ parts }: ThiefScene): { height: number; boxes: PartBox[] } {
  let y = bandHeight + gap;
  const boxes = parts.map(({ drawing }, index) => {
    const { height } = kinds[drawing];
    const box = { number: index + 1, drawing, y, height };
    y += height + gap;
    return box;
  });
  return { height: y + bandHeight, boxes };
}
