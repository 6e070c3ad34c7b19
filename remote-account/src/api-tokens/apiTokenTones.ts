import type { StatusName } from '@dmp/contract/apiToken'
import type { BadgeTone } from '@dmp/kit/ui'

const tones: Readonly<Record<StatusName, BadgeTone>> = {
  Active: 'success',
  Suspended: 'warning',
  Expired: 'secondary',
  Ended: 'danger',
}

export const toTone = (status: string): BadgeTone => tones[status as StatusName] ?? 'secondary'
