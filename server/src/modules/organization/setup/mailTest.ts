import type { Dependencies } from '../../../dependencies.ts'
import type { Tested } from './storageTest.ts'

type Post = Pick<Dependencies, 'mail' | 'settings' | 'publicUrl'>

const hostOf = ({ settings }: Pick<Post, 'settings'>): string =>
  settings.smtpUrl === undefined ? '' : new URL(settings.smtpUrl).hostname

export const describeMail = (deps: Pick<Post, 'settings'>): string =>
  deps.settings.smtpUrl === undefined
    ? 'No mail server is set: mails stay in the mailbox of the demo.'
    : `Mails go out through ${hostOf(deps)}, from ${deps.settings.mailFrom}.`

/** What the mail server answered; it may still drop the mail later, so the sentence asks to look for it. */
export async function testMail(
  deps: Post,
  to: { email: string; fullName: string },
  language: string | undefined,
): Promise<Tested> {
  try {
    await deps.mail.test({
      to: to.email,
      name: to.fullName,
      language,
      subject: 'Test mail',
      paragraphs: [`This mail shows that ${new URL(deps.publicUrl()).host} can send mails. You need not do anything.`],
    })
    return { isGood: true, sentence: `The mail server took a test mail to ${to.email}. Look whether it arrives.` }
  } catch (cause) {
    return { isGood: false, sentence: describeFailure(hostOf(deps), cause) }
  }
}

/** Never the server's own words: they may repeat what was sent, the password among it. */
function describeFailure(host: string, cause: unknown): string {
  const { code, responseCode } = (cause ?? {}) as { code?: unknown; responseCode?: unknown }
  const answer = typeof responseCode === 'number' ? responseCode : typeof code === 'string' ? code : '?'
  if (code === 'EAUTH')
    return `${host} refused the user or the password (${answer}). Correct SMTP_URL and restart the server.`
  if (code === 'EENVELOPE')
    return `${host} refused the sender or your address (${answer}). Correct DMP_MAIL_FROM, or allow the sender there.`
  if (typeof responseCode === 'number')
    return `${host} did not take the mail (${answer}). Ask its administrator what this answer means.`
  return `${host} could not be reached (${answer}). Check host and port in SMTP_URL, and the network.`
}
