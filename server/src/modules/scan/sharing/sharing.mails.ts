import { letter } from '../../../outside/letter.ts'
import type { Mail } from '../../../outside/mail.ts'

interface Invitation {
  readonly to: string
  readonly person: string
  readonly organization: string
  readonly link: string
  readonly expireDate: Date
  readonly message: string | null
  readonly secret: 'password' | 'code' | 'none'
}

const secretSentences = {
  password: 'The link asks for a password. The sender tells it to you in another way.',
  code: 'The link sends a code to this address and asks for it, so that nobody else can use the link.',
  none: 'Anyone who has the link can open it. Do not forward it.',
} as const

/** "24 November 2026, 09:30 UTC": the server does not know where the recipient is. */
const formatMoment = (date: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(date).replace(' at ', ', ')} UTC`

/** Neither patient nor study is named: a mail travels in the open, and its subject stands in lists. */
export const shareMail = ({ to, person, organization, link, expireDate, message, secret }: Invitation): Mail =>
  letter({
    to,
    subject: `${organization} has shared medical images with you`,
    paragraphs: [
      `${person} of ${organization} has shared medical images with you. You need no account. The link works until ${formatMoment(expireDate)}.`,
      ...(message === null ? [] : [`${person} writes:`]),
    ],
    ...(message === null ? {} : { quote: message }),
    link: { label: 'Open the images', address: link },
    afterwards: [secretSentences[secret], 'If you do not know the sender, do not open the link.'],
  })

export const shareCodeMail = (to: string, code: string, minutes: number): Mail =>
  letter({
    to,
    subject: 'Your code for shared images',
    isAwaited: true,
    paragraphs: [`Enter this code to open the images. It is valid for ${minutes} minutes and works once.`],
    code,
    afterwards: ['If you did not ask for it, somebody else has your link. Tell the sender.'],
  })
