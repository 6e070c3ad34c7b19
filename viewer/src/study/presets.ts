import { formatDecimals } from './formatDecimals.ts'

/** A window: values from `center − width/2` to `center + width/2` are spread from black to white. */
export interface GreyWindow {
  readonly width: number
  readonly center: number
}

export interface Preset extends GreyWindow {
  readonly label: string
  /** The key that chooses it. */
  readonly key: string
}

/** Usual windows in Hounsfield units: they mean something for CT only. */
export const ctPresets: readonly Preset[] = [
  { label: 'Soft tissue', key: '1', width: 400, center: 40 },
  { label: 'Lung', key: '2', width: 1500, center: -600 },
  { label: 'Bone', key: '3', width: 2500, center: 480 },
  { label: 'Brain', key: '4', width: 80, center: 40 },
  { label: 'Liver', key: '5', width: 150, center: 90 },
]

export const listPresets = (modality: string): readonly Preset[] => (modality === 'CT' ? ctPresets : [])

/** `W 400 · L 40`, with decimals only where the range is so small that they matter. */
export function windowText({ width, center }: GreyWindow): string {
  const digits = Math.abs(width) < 10 ? 2 : 0
  return `W ${formatDecimals(width, digits)} · L ${formatDecimals(center, digits)}`
}
