import { preferences } from '@dmp/kit'

/** How high the rows are. */
export const densities = [
  { value: 'compact', label: 'Compact' },
  { value: 'normal', label: 'Normal' },
  { value: 'roomy', label: 'Roomy' },
] as const
export type Density = (typeof densities)[number]['value']
const densityKey = 'worklist-density'

export const readDensity = (): Density =>
  densities.find(({ value }) => value === preferences.read(densityKey))?.value ?? 'normal'
export const writeDensity = (density: Density): void => preferences.write(densityKey, density)
