import { letter } from '../../outside/letter.ts'
import type { Mail } from '../../outside/mail.ts'

interface Applicant {
  readonly email: string
  readonly fullName: string
}

const to = ({ email, fullName }: Applicant) => ({ to: email, name: fullName })

/** 4.05: the comment is the reason. */
export const rejectedMail = (applicant: Applicant, organizationName: string, comment: string): Mail =>
  letter({
    ...to(applicant),
    subject: 'Your registration was not approved',
    paragraphs: [
      `Thank you for registering ${organizationName}. We could not approve the registration, for this reason:`,
    ],
    quote: comment,
    afterwards: ['You are welcome to register again once this is settled.'],
  })

/** 8.10: the confirmation that the form promises, with the way in. */
export const approvedMail = (
  applicant: Applicant,
  organizationName: string,
  { password, hours, url }: { password: string; hours: number; url: string },
): Mail =>
  letter({
    ...to(applicant),
    subject: 'Your registration is approved',
    paragraphs: [
      `Welcome. ${organizationName} is set up, and you are its first administrator.`,
      `Sign in with this email address and the temporary password below, and choose a password of your own. It is valid for ${Math.round(hours)} hours; after that, please ask us for a new one.`,
    ],
    code: password,
    link: { label: 'Sign in', address: `${url}/login` },
  })

/**
 * Goes out where the form says "successful" although nothing was kept, so that the form tells nobody who has an
 * account. Nothing in it was typed into the form: a stranger may not write to people in our name.
 */
export const alreadyKnownMail = (email: string, url: string): Mail =>
  letter({
    to: email,
    subject: 'Your registration',
    paragraphs: [
      'Somebody filled in our registration form with this email address. It is in use already: either you have an account, or an earlier registration is waiting for approval. Nothing was changed.',
    ],
    link: { label: 'Sign in', address: `${url}/login` },
  })
