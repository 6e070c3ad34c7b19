import { formatDecimals } from '../study/formatDecimals.ts'

/** What Cornerstone keeps of a measurement, by the picture that it was measured in. */
interface Measured {
  readonly cachedStats?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
}

const leastMeasure = 0.0001

/** Three digits of it, as many as a measurement is worth; standard uptake values are small. */
function countDecimals(value: number): number {
  const size = Math.abs(value)
  return size < leastMeasure ? 0 : Math.max(0, 2 - Math.floor(Math.log10(size)))
}

function formatMeasure(value: number, unit: unknown): string {
  const number = formatDecimals(value, countDecimals(value))
  return typeof unit === 'string' && unit !== '' ? `${number} ${unit}` : number
}

const atDetectorText = (measure: string): string => `${measure} at detector`
const areaText = (measure: string): string => `Area: ${measure}`
const obliqueText = () => 'Area: not in an oblique slice'
const meanText = (measure: string): string => `Mean: ${measure}`
const maxText = (measure: string): string => `Max: ${measure}`
const minText = (measure: string): string => `Min: ${measure}`
const deviationText = (measure: string): string => `Std Dev: ${measure}`

const asIs = (measure: string): string => measure

/** The line of a statistic; none where the picture has no such number. */
function toLine(value: unknown, unit: unknown, say: (measure: string) => string = asIs): string[] {
  return typeof value === 'number' && Number.isFinite(value) ? [say(formatMeasure(value, unit))] : []
}

/** What stands beside a length; whether it is known on the detector alone, where the patient appears larger. */
export function lengthLines({ cachedStats }: Measured, picture: string, isAtDetector = false): string[] {
  const { length, unit } = cachedStats?.[picture] ?? {}
  return toLine(length, unit, isAtDetector ? atDetectorText : asIs)
}

/** What stands beside an angle. */
export function angleLines({ cachedStats }: Measured, picture: string): string[] {
  return toLine(cachedStats?.[picture]?.angle, '°')
}

/** What stands beside an area: its size, and what the picture holds in it. */
export function areaLines({ cachedStats }: Measured, picture: string, isAtDetector = false): string[] {
  const { area, areaUnit, isEmptyArea, mean, max, min, stdDev, modalityUnit } = cachedStats?.[picture] ?? {}
  const sayArea = (measure: string) => areaText(isAtDetector ? atDetectorText(measure) : measure)
  return [
    ...(isEmptyArea === true ? [obliqueText()] : toLine(area, areaUnit, sayArea)),
    ...toLine(mean, modalityUnit, meanText),
    ...toLine(max, modalityUnit, maxText),
    ...toLine(min, modalityUnit, minText),
    ...toLine(stdDev, modalityUnit, deviationText),
  ]
}
