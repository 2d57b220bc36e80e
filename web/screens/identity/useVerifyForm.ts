import { useCallback, useEffect, useRef, useState } from "react";
import type { PickedImage } from "#web/features/picture/shrink.ts";

/** The form's texts by their names on the wire. */
interface FormTexts {
  name: string;
  sex: string;
  birthday: string;
  document_type: string;
  number: string;
  contact_country: string;
  contact_number: string;
}
export type TextName = keyof FormTexts;

const empty: FormTexts = {
  name: "",
  sex: "",
  birthday: "",
  document_type: "",
  number: "",
  contact_country: "",
  contact_number: "",
};

/** The fields of each step; the picture is the third. */
const stepFields = [
  ["name", "sex", "birthday"],
  ["document_type", "number", "contact_country", "contact_number"],
] as const satisfies readonly (readonly TextName[])[];

export interface VerifyFormState {
  texts: FormTexts;
  set: (name: TextName, text: string) => void;
  picture: PickedImage | null;
  setPicture: (picture: PickedImage | null) => void;
  missing: (step: number) => TextName[];
  clear: () => void;
}

/** The person's input; it survives each step and each error. */
export function useVerifyForm(): VerifyFormState {
  const [texts, setTexts] = useState(empty);
  const [picture, setPicture] = useState<PickedImage | null>(null);
  const latest = useRef<PickedImage | null>(null);
  const replacePicture = useCallback((nextPicture: PickedImage | null) => {
    if (latest.current) URL.revokeObjectURL(latest.current.url);
    latest.current = nextPicture;
    setPicture(nextPicture);
  }, []);
  useEffect(
    () => () => {
      if (latest.current) URL.revokeObjectURL(latest.current.url);
    },
    [],
  );
  return {
    texts,
    set: (name, text) => setTexts((before) => ({ ...before, [name]: text })),
    picture,
    setPicture: replacePicture,
    missing: (step) => (stepFields[step] ?? []).filter((name) => texts[name].trim() === ""),
    clear: () => {
      setTexts(empty);
      replacePicture(null);
    },
  };
}
