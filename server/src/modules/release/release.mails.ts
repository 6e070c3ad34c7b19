import { letter } from '../../outside/letter.ts'
import type { Mail } from '../../outside/mail.ts'

interface Withdrawal {
  readonly part: string
  readonly releaseId: string
  readonly wasCanary: boolean
  /** `automatic`, or a monitor. */
  readonly by: string
  readonly reason: string
}

/** Tells a super administrator that the server stopped a canary or rolled back a release. */
export const withdrawalMail = (
  { email, fullName }: { readonly email: string; readonly fullName: string },
  { part, releaseId, wasCanary, by, reason }: Withdrawal,
): Mail =>
  letter({
    to: email,
    name: fullName,
    subject: wasCanary ? `The canary of ${part} was stopped` : `${part} was rolled back`,
    paragraphs: [
      `Release ${releaseId} of ${part} failed ${by.startsWith('monitor ') ? `the journeys of the ${by}` : "on people's pages"}, so the server ${wasCanary ? 'stopped it' : 'rolled it back'} automatically.`,
      reason,
      wasCanary
        ? 'People who had the canary get the live release on their next page load. No one else was affected.'
        : 'Everyone gets the previous release on their next page load. Open pages offer it as an update.',
    ],
    afterwards: [
      `People who use the platform don't have to do anything. Once the cause is fixed, start again with a canary: npm run release -- canary ${part} --percent 1`,
    ],
  })
