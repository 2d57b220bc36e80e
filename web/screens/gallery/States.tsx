import {
  CompassDrawing,
  DockDrawing,
  EmptyDockDrawing,
  FlagsDrawing,
  MachineDrawing,
  MooringDrawing,
  SpecimenDrawing,
  SpreadDrawing,
} from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";

export function States() {
  return (
    <>
      <Section title="Loading">
        <SkeletonRows count={2} />
      </Section>
      <Section title="Failed" kind="plain">
        <ErrorNote onRetry={() => undefined}>
          The server did not answer. Nothing was lost. Try again in a moment.
        </ErrorNote>
      </Section>
      <Section title="Empty">
        <Empty drawing={<EmptyDockDrawing />} title="No orders yet">
          An order you place is listed here.
        </Empty>
      </Section>
      <Section title="Drawings" kind="plain">
        <div className="flex flex-wrap gap-6 text-ink-soft">
          <DockDrawing />
          <SpreadDrawing />
          <MachineDrawing />
          <MooringDrawing />
          <FlagsDrawing />
          <SpecimenDrawing />
          <CompassDrawing />
        </div>
      </Section>
    </>
  );
}
