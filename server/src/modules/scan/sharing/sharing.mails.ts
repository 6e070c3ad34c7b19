import type { Letter } from '../../../outside/letter.ts'

interface Invitation {
  readonly to: string
  readonly person: string
  readonly organization: string
  readonly organizationId: string
  readonly link: string
  readonly expireDate: Date
  readonly message: string | null
  readonly secret: 'password' | 'code' | 'none'
  /** Of the sender. */
  readonly language: string | undefined
}

const secretSentences = {
  password: 'The link asks for a password. The sender tells it to you in another way.',
  code: 'The link sends a code to this address and asks for it, so that nobody else can use the link.',
  none: 'Anyone who has the link can open it. Do not forward it.',
} as const

/** "24 November 2026, 09:30 UTC": the server does not know where the recipient is. */
const formatMoment = (date: Date, language = 'en'): string => {
  const formats = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const tag = { en: 'en-GB', ar: 'ar-u-nu-latn-ca-gregory' }[language] ?? language
  return `${new Intl.DateTimeFormat(tag, formats).format(date).replace(' at ', ', ')} UTC`
}

/** Neither patient nor study is named: a mail travels in the open, and its subject stands in lists. */
export const shareMail = ({
  to,
  person,
  organization,
  organizationId,
  link,
  expireDate,
  message,
  secret,
  language,
}: Invitation): Letter => ({
  language,
  to,
  logoOf: organizationId,
  subject: `${organization} has shared medical images with you`,
  paragraphs: [
    `${person} of ${organization} has shared medical images with you. You need no account. The link works until ${formatMoment(expireDate, language)}.`,
    ...(message === null ? [] : [`${person} writes:`]),
  ],
  ...(message === null ? {} : { quote: message }),
  link: { label: 'Open the images', address: link },
  afterwards: [secretSentences[secret], 'If you do not know the sender, do not open the link.'],
})

export const shareCodeMail = (
  { to, language, organizationId }: Pick<Invitation, 'to' | 'language' | 'organizationId'>,
  code: string,
  minutes: number,
): Letter => ({
  to,
  language,
  logoOf: organizationId,
  subject: 'Your code for shared images',
  isAwaited: true,
  paragraphs: [`Enter this code to open the images. It is valid for ${minutes} minutes and works once.`],
  code,
  afterwards: ['If you did not ask for it, somebody else has your link. Tell the sender.'],
})
