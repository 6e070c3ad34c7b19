import { formatNumber } from '@dmp/kit'

/** The server's "56 years" in the language of the page; an age that is stated in other words as it is. */
export function formatAge(age: string | null): string | null {
  const [, count, unit] = /^(\d+) (day|week|month|year)s?$/.exec(age ?? '') ?? []
  return unit === undefined ? age : formatNumber(Number(count), { style: 'unit', unit, unitDisplay: 'long' })
}
