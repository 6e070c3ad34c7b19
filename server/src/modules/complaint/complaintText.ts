import type { ModuleName } from '@dmp/contract'
import type { SeverityName, StatusName } from '@dmp/contract/complaint'

export type Step = readonly [status: StatusName, daysLater: number, comment: string]
/** `picture` names one of the drawings in `demoPictures.ts`. */
export type ComplaintText = readonly [
  days: number,
  place: 'north' | 'south' | 'west',
  module: ModuleName,
  type: string,
  severity: SeverityName,
  description: string,
  steps: readonly Step[],
  picture?: 'viewer' | 'table',
]

export const beingFixed = (daysLater: number, comment = 'We can reproduce this and are working on it.'): Step => [
  'InProgress',
  daysLater,
  comment,
]

export const resolved = (daysLater: number, comment: string): Step => ['Resolved', daysLater, comment]
