import type { Activity } from '@dmp/contract/audit'
import { personName } from '@dmp/kit/language'

export type Facts = ReadonlyMap<string, string>

/** Whoever came by a share link: the address that a code proved is all that is known of them. */
function visitorText(event: string, facts: Facts): string | undefined {
  const email = facts.get('email')
  if (!facts.has('shareId') && event !== 'ShareUsed' && event !== 'ScanDownloaded') return undefined
  return email ? `Somebody with the link for ${email}` : 'Somebody with the link'
}

/** Who did it: a person, or as much as is known of somebody who came by a share link; empty for everything else. */
export const toActor = ({ event, actor, subject }: Pick<Activity, 'event' | 'actor' | 'subject'>): string =>
  (actor && personName(actor)) ?? visitorText(event, toFacts(subject)) ?? ''

export const toFacts = (subject: Activity['subject']): Facts => new Map(subject.map(({ key, value }) => [key, value]))
