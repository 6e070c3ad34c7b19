import * as v from 'valibot'
import { remove } from './index.ts'

const series = (count: number): string[] => Array.from({ length: count }, (_, index) => `1.2.826.${index + 1}`)
const takes = (seriesIdList: string[]): boolean => v.safeParse(remove.definition.body, { seriesIdList }).success

describe('scans that are deleted at once', () => {
  it('are one to five hundred [7.38]', () => {
    expect([0, 1, 500, 501].map((count) => takes(series(count)))).toEqual([false, true, true, false])
  })
})
