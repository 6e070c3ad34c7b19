import type { Letter } from '../../outside/letter.ts'

/** 7.20: tells every user about new Terms of Use. */
export const termsMail = (
  { email, fullName }: { readonly email: string; readonly fullName: string },
  termsLink: string,
): Letter => ({
  to: email,
  name: fullName,
  subject: 'Updated Terms of Use',
  paragraphs: ['Our Terms of Use have changed. Please read them. By continuing to use the product you accept them.'],
  link: { label: 'Terms of Use', address: termsLink },
  afterwards: ['You received this mail because you have an account.'],
})
