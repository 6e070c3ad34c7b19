import type { Study } from '@dmp/contract/scan'
import { useTicked } from '../shared/useTicked.ts'

/** The selected studies, over pages and searches; the bar below the list says which of them cannot be seen. */
export function useSelectedStudies(organizationId: string) {
  const [selected, setSelected] = useTicked<Study>(organizationId)
  const isSelected = ({ studyUID }: Study): boolean => selected.some((other) => other.studyUID === studyUID)
  const without = (studies: readonly Study[]): readonly Study[] =>
    selected.filter((other) => !studies.some(({ studyUID }) => studyUID === other.studyUID))
  return {
    selected,
    isSelected,
    set: (studies: readonly Study[], isOn: boolean): void =>
      setSelected(isOn ? [...without(studies), ...studies] : without(studies)),
    keep: (keys: readonly string[]): void => setSelected(selected.filter(({ studyUID }) => keys.includes(studyUID))),
    clear: (): void => setSelected([]),
  }
}
export type SelectedStudies = ReturnType<typeof useSelectedStudies>
