import type { ChangeKind } from '@dmp/contract/changes'
import type {
  Delivery,
  DeliveryProblem,
  DeliveryStatusName,
  DeliveryType,
  PauseReason,
  StatusName,
  Webhook,
} from '@dmp/contract/webhook'
import type { BadgeTone } from '@dmp/kit/ui'

/** What each kind tells, in the words of the screen. */
export const kindTexts: Readonly<Record<ChangeKind, string>> = {
  SeriesCreated: 'A series arrives',
  SeriesGrown: 'A series gets more images',
  SeriesQuiet: 'A series is complete, as far as can be told: nothing arrives any more',
  SeriesReduced: 'Single images of a series are deleted',
  SeriesShared: 'A link opens a series',
  SeriesTransferred: 'A copy of a series arrives at another organization',
  SeriesDeleted: 'A series is deleted',
}

export const typeTexts: Readonly<Record<DeliveryType, string>> = {
  SeriesCreated: 'Series created',
  SeriesGrown: 'Series grown',
  SeriesQuiet: 'Series quiet',
  SeriesReduced: 'Series reduced',
  SeriesShared: 'Series shared',
  SeriesTransferred: 'Series transferred',
  SeriesDeleted: 'Series deleted',
  WebhookTest: 'Test',
  ChangesMissed: 'Changes missed',
  ReleaseNews: 'News of a part',
}

export const reasonTexts: Readonly<Record<PauseReason, string>> = {
  Person: 'Somebody paused it.',
  Failing: 'Its receiver accepted nothing for three days. Repair the receiver, then resume the webhook.',
  Gone: 'Its receiver answered 410 (gone), which asks us to send nothing more.',
  Secret: 'The server has another key now, so the secret of this webhook is lost. Make a new secret, then resume.',
}

export const suspended = (): string =>
  'Its owner or the organization is deactivated, or the owner may not have webhooks any more. ' +
  'An administrator who edits it becomes its owner.'

export const problemTexts: Readonly<Record<DeliveryProblem, string>> = {
  AddressRefused: 'The address lies in a network that is not public, and no operator has allowed it.',
  NameUnknown: 'Nobody knows the name in the address.',
  NoConnection: 'The receiver cannot be reached, or it broke the connection off.',
  CertificateRefused: 'The certificate of the receiver is not valid.',
  TooSlow: 'The receiver did not answer within 15 seconds.',
  Redirected: 'The receiver sent us to another address. Redirects are not followed: enter that address instead.',
  BadStatus: 'The receiver answered that it did not take the message.',
}

/** It goes on, and nothing arrives: green would be a lie. */
export const toShownStatus = ({ status, failingSince }: Pick<Webhook, 'status' | 'failingSince'>) =>
  status === 'Active' && failingSince ? 'Failing' : status

const tones: Readonly<Record<StatusName | DeliveryStatusName | 'Failing', BadgeTone>> = {
  Active: 'success',
  Failing: 'danger',
  Suspended: 'warning',
  Paused: 'secondary',
  Waiting: 'warning',
  Delivered: 'success',
  Failed: 'danger',
}
export const toTone = (status: string): BadgeTone => tones[status as StatusName] ?? 'secondary'

const answeredText = (status: number, ms: number): string => `${status} in ${ms} ms`

/** `204 in 45 ms`, or why there was no answer. */
export function formatAnswer({ answerStatus, milliseconds, problem }: Delivery): string {
  if (answerStatus !== null && answerStatus !== undefined) return answeredText(answerStatus, milliseconds ?? 0)
  return problem === null || problem === undefined ? '' : problemTexts[problem]
}
