import { waits, type WaitCounts } from '@dmp/contract/waits'
import { formatNumber } from '../language/index.ts'
import type { Bar } from './BarTable.tsx'

/** How many wait for how long, as bars that lead to those which do. */
export const toWaitBars = (counts: WaitCounts, toList: (wait: keyof typeof waits) => string): Bar[] =>
  counts.map(({ wait, count, isMore }) => ({
    label: waits[wait].text,
    value: count,
    text: isMore ? `${formatNumber(count)}+` : formatNumber(count),
    to: toList(wait),
    ...(wait === 'month' && { tone: 'warning' as const }),
    ...(wait === 'longer' && { tone: 'danger' as const }),
  }))
