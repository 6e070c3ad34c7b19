import { Instant } from '@dmp/contract'
import { Change, ChangeKind } from '@dmp/contract/changes'
import type { DeliveryType } from '@dmp/contract/webhook'
import * as v from 'valibot'
import { sharedDate } from '../../core/clock.ts'

/** Type, time and data, as Standard Webhooks says. It names nobody: ids, and where to ask for more. */
const toPayload = (type: DeliveryType, timestamp: string, data: object): string =>
  JSON.stringify({ type, timestamp, data })

/** What receivers are sent of a change, for the API document. */
export const ChangeMessage = v.object({
  type: ChangeKind,
  timestamp: Instant,
  data: v.object({ ...v.omit(Change, ['kind', 'date']).entries, series: v.string() }),
})

export function changePayload(publicUrl: string, { kind, date, ...change }: Change): string {
  const series = `${publicUrl}/dicom-web/studies/${change.studyUID}/series/${change.seriesUID}`
  return toPayload(kind, date, { ...change, series })
}

export const testPayload = (): string =>
  toPayload('WebhookTest', sharedDate().toISOString(), { message: 'A person asked for this test.' })

/** Some changes are not kept any more: the receiver reads the scans once, and goes on with what follows. */
export const missedPayload = (from: Date | null): string =>
  toPayload('ChangesMissed', sharedDate().toISOString(), { keptFrom: from?.toISOString() ?? null })

/** What a team is told of its part: places in its own sources, figures and releases. It names nobody. */
export const newsPayload = (timestamp: Date, data: object): string =>
  toPayload('ReleaseNews', timestamp.toISOString(), data)
