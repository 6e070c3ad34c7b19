import { onFirstUse } from '../onFirstUse.ts'
import { locale } from './language.ts'

const plain = onFirstUse(() => new Intl.NumberFormat(locale()))

/** Formats a number as the language of this page writes it: 12,345.5 or 12.345,5. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return options === undefined ? plain().format(value) : new Intl.NumberFormat(locale(), options).format(value)
}
