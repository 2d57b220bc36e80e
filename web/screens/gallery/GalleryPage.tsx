import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Page } from "#ui/Page.tsx";
import { changeSettings, useSettings } from "#web/lib/settings.ts";
import { Figures } from "#web/screens/gallery/Figures.tsx";
import { Inputs } from "#web/screens/gallery/Inputs.tsx";
import { Overlays } from "#web/screens/gallery/Overlays.tsx";
import { States } from "#web/screens/gallery/States.tsx";
import { Tokens } from "#web/screens/gallery/Tokens.tsx";

/** Tokens, type scale and every primitive in every state, for developers. English only. */
export default function GalleryPage() {
  const { theme, habit } = useSettings();
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) throw new Error("broken on purpose, from the gallery");
  return (
    <Page
      title="Gallery"
      back="/home"
      side={
        <>
          <Figures />
          <States />
        </>
      }
    >
      <div className="flex flex-col gap-2 px-4 pt-2">
        <Segmented
          label="Theme"
          value={theme}
          onChange={(next) => changeSettings({ theme: next })}
          options={[
            { value: "system", label: "System" },
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
          ]}
        />
        <Segmented
          label="Colour for rises"
          value={habit}
          onChange={(next) => changeSettings({ habit: next })}
          options={[
            { value: "locale", label: "As the language" },
            { value: "green-up", label: "Green up" },
            { value: "red-up", label: "Red up" },
          ]}
        />
      </div>
      <Tokens />
      <Inputs />
      <Overlays />
      <div className="mt-8 px-4">
        <Button variant="quiet" onClick={() => setIsBroken(true)}>
          Break this screen
        </Button>
      </div>
    </Page>
  );
}
