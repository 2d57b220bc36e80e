import { IconPhoto } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { createReader, type Reader } from "#web/features/picture/reader.ts";

export interface ScanSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The raw text of the code; the caller parses and checks it (`parseAddressUri`). */
  onRead: (text: string) => void;
}

/**
 * Reads a QR code from the camera, or from a chosen or pasted picture. Closing it turns the camera
 * off.
 */
export default function ScanSheetBody({ open, onOpenChange, onRead }: ScanSheetProps) {
  const t = useText();
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t("send.scan.title")}>
      {open ? <Scanner onRead={onRead} /> : null}
    </Sheet>
  );
}

type CameraState = "starting" | "on" | "missing" | "refused" | "insecure";

function Scanner({ onRead }: Pick<ScanSheetProps, "onRead">) {
  const t = useText();
  const reader = useReader();
  const { camera, video } = useCamera(reader, onRead);
  const [failure, setFailure] = useState<string | null>(null);
  const readFile = async (file: Blob | null | undefined) => {
    if (!file) return;
    setFailure(null);
    const text = await readPicture(reader.current, file);
    if (text === null) setFailure(t("send.scan.nothing"));
    else onRead(text);
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const image = [...(event.clipboardData?.files ?? [])].find((file) =>
        file.type.startsWith("image/"),
      );
      if (image) void readFile(image);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  });
  const live = camera === "on" || camera === "starting";
  return (
    <div className="flex flex-col gap-4">
      {live ? (
        <video
          ref={video}
          muted
          playsInline
          aria-label={t("send.scan.camera")}
          className="aspect-square w-full rounded-dock bg-well object-cover"
        />
      ) : (
        <p className="text-small text-ink-soft">{t(`send.scan.${camera}`)}</p>
      )}
      <p className="text-small text-ink-soft">{t("send.scan.how")}</p>
      {failure ? <ErrorNote>{failure}</ErrorNote> : null}
      <label className={buttonClass({ variant: "outline", block: true })}>
        <IconPhoto size={18} aria-hidden="true" />
        {t("send.scan.file")}
        <input
          type="file"
          accept="image/*"
          className="sr-only"
          onChange={(event) => {
            void readFile(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </label>
    </div>
  );
}

function useReader() {
  const reader = useRef<Reader | null>(null);
  useEffect(() => {
    const newReader = createReader();
    reader.current = newReader;
    return () => {
      reader.current = null;
      newReader.stop();
    };
  }, []);
  return reader;
}

/**
 * Turns the camera on and scans its picture four times a second until a code is found; turns it off
 * at the end.
 */
function useCamera(
  reader: React.RefObject<Reader | null>,
  onRead: (text: string) => void,
): { camera: CameraState; video: React.RefObject<HTMLVideoElement | null> } {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>(() =>
    window.isSecureContext && navigator.mediaDevices ? "starting" : "insecure",
  );
  const onReadRef = useRef(onRead);
  useEffect(() => {
    onReadRef.current = onRead;
  });
  useEffect(() => {
    if (!window.isSecureContext || !navigator.mediaDevices) return;
    let stream: MediaStream | null = null;
    let hasEnded = false;
    let timer = 0;
    const look = async () => {
      const box = video.current;
      const text = box && (await reader.current?.read(box, box.videoWidth, box.videoHeight));
      if (hasEnded) return;
      if (text) onReadRef.current(text);
      else timer = window.setTimeout(() => void look(), 250);
    };
    const start = async () => {
      try {
        const mediaStream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: "environment" },
        });
        stream = mediaStream;
        if (hasEnded || !video.current) {
          for (const track of mediaStream.getTracks()) track.stop();
          return;
        }
        video.current.srcObject = mediaStream;
        await video.current.play();
        setState("on");
        void look();
      } catch (error) {
        if (hasEnded) return;
        const name = error instanceof DOMException ? error.name : "";
        setState(name === "NotAllowedError" || name === "SecurityError" ? "refused" : "missing");
      }
    };
    void start();
    return () => {
      hasEnded = true;
      window.clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, [reader]);
  return { camera: state, video };
}

async function readPicture(reader: Reader | null, file: Blob): Promise<string | null> {
  try {
    const picture = await createImageBitmap(file);
    const text = await reader?.read(picture, picture.width, picture.height);
    picture.close();
    return text ?? null;
  } catch {
    return null;
  }
}
