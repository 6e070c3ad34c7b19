import type { APIRequestContext } from 'playwright/test'
import { expect, test } from 'playwright/test'
import { assertStated } from './needs.ts'
import { keepSecrets } from './secrets.ts'

interface Mail {
  to: string
  subject: string
  text: string
  links: string[]
  code: string | null
  sentAt: string
}

/** Comes with a sign-in, whatever a journey waits for. */
const newPlace = 'Your account was used in a new place'

/** The newest mail to the address that came after the instant; the demo mailbox keeps what would have been sent. */
export async function newestMail(request: APIRequestContext, to: string, after: Date): Promise<Mail> {
  assertStated(test.info(), 'mailbox')
  let newest: Mail | undefined
  await expect
    .poll(
      async () => {
        const response = await request.get('/dev/mail.json', { params: { to } })
        const { data } = (await response.json()) as { data: Mail[] }
        keepSecrets(JSON.stringify(data))
        newest = data.find((mail) => new Date(mail.sentAt) >= after && mail.subject !== newPlace)
        return newest !== undefined
      },
      { message: `a mail to ${to}` },
    )
    .toBe(true)
  return newest as Mail
}
