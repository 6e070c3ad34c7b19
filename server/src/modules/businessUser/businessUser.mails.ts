import { letter } from '../../outside/letter.ts'
import type { Mail } from '../../outside/mail.ts'

/** 7.20 */
export const termsMail = (
  { email, fullName }: { readonly email: string; readonly fullName: string },
  termsLink: string,
): Mail =>
  letter({
    to: email,
    name: fullName,
    subject: 'Updated Terms of Use',
    paragraphs: ['Our Terms of Use have changed. Please read them; by going on to use the product you agree to them.'],
    link: { label: 'Terms of Use', address: termsLink },
    afterwards: ['This mail went to everybody who has an account.'],
  })
