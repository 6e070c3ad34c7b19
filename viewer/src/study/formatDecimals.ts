import { locale } from '@dmp/kit/language'

// One is made for each number of decimals: pictures say their zoom each time that they are drawn.
const formats: (Intl.NumberFormat | undefined)[] = []

/**
 * A number of so many decimals, as the language of the page writes it; without groups of thousands, whose points other
 * languages read as decimals.
 */
export function formatDecimals(value: number, digits: number): string {
  const format = (formats[digits] ??= new Intl.NumberFormat(locale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }))
  return format.format(value)
}
