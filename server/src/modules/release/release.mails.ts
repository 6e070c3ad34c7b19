import type { Letter } from '../../outside/letter.ts'

interface Withdrawal {
  readonly part: string
  readonly releaseId: string
  readonly wasCanary: boolean
  /** `automatic`, or a monitor. */
  readonly by: string
  readonly reason: string
}

function whatHappened({ part, releaseId, wasCanary, by }: Omit<Withdrawal, 'reason'>): string {
  if (by.startsWith('monitor '))
    return wasCanary
      ? `Release ${releaseId} of ${part} failed the journeys of the ${by}, so the server stopped it automatically.`
      : `Release ${releaseId} of ${part} failed the journeys of the ${by}, so the server rolled it back automatically.`
  return wasCanary
    ? `Release ${releaseId} of ${part} failed on people's pages, so the server stopped it automatically.`
    : `Release ${releaseId} of ${part} failed on people's pages, so the server rolled it back automatically.`
}

/** Tells a super administrator that the server stopped a canary or rolled back a release. */
export const withdrawalMail = (
  { email, fullName }: { readonly email: string; readonly fullName: string },
  { part, releaseId, wasCanary, by, reason }: Withdrawal,
): Letter => ({
  to: email,
  name: fullName,
  subject: wasCanary ? `The canary of ${part} was stopped` : `${part} was rolled back`,
  paragraphs: [
    whatHappened({ part, releaseId, wasCanary, by }),
    reason,
    wasCanary
      ? 'People who had the canary get the live release on their next page load. No one else was affected.'
      : 'Everyone gets the previous release on their next page load. Open pages offer it as an update.',
  ],
  afterwards: [
    `People who use the platform don't have to do anything. Once the cause is fixed, start again with a canary: npm run release -- canary ${part} --percent 1`,
  ],
})

/** Tells a super administrator that a release went to people without the trial in a browser. */
export const uncheckedMail = (
  { email, fullName }: { readonly email: string; readonly fullName: string },
  { part, releaseId, by, reason }: Omit<Withdrawal, 'wasCanary'>,
): Letter => ({
  to: email,
  name: fullName,
  subject: `${part} went live without its trial`,
  paragraphs: [
    `Release ${releaseId} of ${part} was not tried in a browser. ${by} gave it to people all the same.`,
    reason,
  ],
  afterwards: ['Look at its figures on the platform screen, and roll it back there if something is wrong.'],
})
