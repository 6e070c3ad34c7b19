import type { Letter } from '../../outside/letter.ts'

interface Applicant {
  readonly email: string
  readonly fullName: string
  /** Of the form. */
  readonly language: string | undefined
}

const to = ({ email, fullName, language }: Applicant) => ({ to: email, name: fullName, language })

/** 4.05: the comment gives the reason. */
export const rejectedMail = (applicant: Applicant, organizationName: string, comment: string): Letter => ({
  ...to(applicant),
  subject: 'Your registration was rejected',
  paragraphs: [
    `Thank you for registering ${organizationName}. We could not approve the registration, for this reason:`,
  ],
  quote: comment,
  afterwards: ['You are welcome to register again once this is resolved.'],
})

/** 8.10: the confirmation that the form promises, with the first password. */
export const approvedMail = (
  applicant: Applicant,
  organizationName: string,
  { password, hours, url, saas }: { password: string; hours: number; url: string; saas: readonly string[] },
): Letter => ({
  ...to(applicant),
  subject: 'Your registration is approved',
  paragraphs: [
    `Welcome. The registration of ${organizationName} is approved, and you are its first administrator. Its datastore is ready, so you can upload scans as soon as you have signed in.`,
    ...(saas.length > 0 ? [`Licensed add-on apps: ${saas.join(', ')}.`] : []),
    `Sign in with this email address and the temporary password below, then choose your own password. The temporary password is valid for ${Math.round(hours)} hours. If it expires, ask us for a new one.`,
  ],
  code: password,
  link: { label: 'Sign in', address: `${url}/login` },
})

/**
 * P07: the form reports success although nothing was stored, so that it does not reveal accounts; this mail tells the
 * owner. It repeats nothing from the form, or strangers could write to people in our name.
 */
export const alreadyKnownMail = (email: string, url: string, language: string | undefined): Letter => ({
  language,
  to: email,
  subject: 'Your registration',
  paragraphs: [
    'Someone filled in our registration form with this email address. The address is already in use: you have an account, or an earlier registration is waiting for approval. Nothing was changed.',
  ],
  link: { label: 'Sign in', address: `${url}/login` },
})
