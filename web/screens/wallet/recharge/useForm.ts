import { useCallback, useEffect, useRef, useState } from "react";
import type { RechargeRules } from "#api/recharge.ts";
import type { Coin } from "#core/money/coins.ts";
import { type PickedImage, preparePicture } from "#web/features/picture/shrink.ts";

export interface FormState {
  coin: Coin;
  /** The networks that carry the coin. */
  networks: readonly string[];
  network: string;
  setNetwork: (network: string) => void;
  amount: string;
  setAmount: (amount: string) => void;
  picture: PickedImage | null;
  /**
   * Takes a file that was chosen, dropped, pasted or drawn. False when it cannot be a picture; the
   * previous one then stays.
   */
  acceptFile: (file: Blob) => Promise<boolean>;
  clear: () => void;
}

/** The person's input. A replaced picture's preview URL is revoked. */
export function useForm(coin: Coin, rules: RechargeRules | undefined): FormState {
  const networks = rules?.coins.find((item) => item.coin === coin)?.networks ?? [];
  const [chosenNetwork, setChosenNetwork] = useState<string | null>(null);
  const [amount, setAmount] = useState("");
  const [picture, setPicture] = useState<PickedImage | null>(null);
  const latest = useRef<PickedImage | null>(null);
  const replace = useCallback((nextPicture: PickedImage | null) => {
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
  const acceptFile = useCallback(
    async (file: Blob) => {
      const pickedImage = await preparePicture(file);
      if (pickedImage) replace(pickedImage);
      return pickedImage !== null;
    },
    [replace],
  );
  const clear = useCallback(() => {
    setAmount("");
    replace(null);
  }, [replace]);
  const network = chosenNetwork ?? networks[0] ?? "";
  return {
    coin,
    networks,
    network,
    setNetwork: setChosenNetwork,
    amount,
    setAmount,
    picture,
    acceptFile,
    clear,
  };
}
