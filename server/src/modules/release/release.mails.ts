import { letter } from '../../outside/letter.ts'
import type { Mail } from '../../outside/mail.ts'

interface TakenBack {
  readonly part: string
  readonly releaseId: string
  readonly wasCanary: boolean
  readonly reason: string
}

/** To each super_admin, when the server took a release back by itself. */
export const rolledBackMail = (
  { email, fullName }: { readonly email: string; readonly fullName: string },
  { part, releaseId, wasCanary, reason }: TakenBack,
): Mail =>
  letter({
    to: email,
    name: fullName,
    subject: `A release of ${part} was taken back`,
    paragraphs: [
      `Release ${releaseId} of ${part} failed on the pages of people who had it, so the server took it back by itself.`,
      reason,
      wasCanary
        ? 'It was a canary: whoever had it gets the live release at the next page. Nobody else noticed.'
        : 'The release that was live before is live again, from the next page that anybody opens. Open pages are offered it.',
    ],
    afterwards: [
      `Nothing has to be done for the people who use the platform. When the cause is mended: npm run release -- canary ${part} --percent 1`,
    ],
  })
