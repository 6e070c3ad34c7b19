import { toInboxSentence } from '@dmp/contract/inbox'
import type { Letter } from '../../outside/letter.ts'
import { toEntry, type Burst } from './toEntries.ts'

/** More than that nobody reads in a mail. */
const mostSentences = 20

/** What of scans is not for mails: names, and descriptions that people type (P23). */
const withoutScan = (burst: Burst): Burst => {
  const [first, ...rest] = burst
  const isScan = first.modalities !== null
  return isScan ? [{ ...first, patient_name: null, modalities: null, description: null }, ...rest] : burst
}

/** Whom an alert is about is for the screen. */
const withoutPerson = (burst: Burst): Burst => {
  const [first, ...rest] = burst
  return first.kind === 'AccessAlert' ? [{ ...first, writer: null }, ...rest] : burst
}

/** Everything that a person wants to be told of by mail, in one. It names no patient. */
export function inboxMail(
  to: { readonly email: string; readonly fullName: string },
  bursts: readonly Burst[],
  publicUrl: string,
): Letter {
  const sentences = bursts
    .slice(0, mostSentences)
    .map((burst) => toInboxSentence(toEntry(withoutPerson(withoutScan(burst)))))
  const more = bursts.length - sentences.length
  return {
    to: to.email,
    name: to.fullName,
    subject: bursts.length === 1 ? 'Something new in your inbox' : `${bursts.length} new entries in your inbox`,
    paragraphs: [...sentences, ...(more > 0 ? [`And ${more} more.`] : [])],
    link: { label: 'Open your inbox', address: `${publicUrl}/inbox` },
    afterwards: [`You chose to be told by mail. Choose anew at ${publicUrl}/account/inbox`],
  }
}
