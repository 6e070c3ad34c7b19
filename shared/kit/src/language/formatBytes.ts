import { direction } from './language.ts'
import { formatNumber } from './numbers.ts'

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes as people say them, in steps of 1000: `formatBytes(1_530_000)` is '1.5 MB'. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let step = 0
  while (value >= 999.5 && step < units.length - 1) {
    value /= 1000
    step += 1
  }
  const text = `${formatNumber(value, { maximumFractionDigits: step === 0 || value >= 99.5 ? 0 : 1 })} ${units[step]}`
  // Between Arabic words the unit would come before its number.
  return direction() === 'rtl' ? `\u2066${text}\u2069` : text
}
