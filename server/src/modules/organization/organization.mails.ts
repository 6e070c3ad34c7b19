import type { Letter } from '../../outside/letter.ts'

interface Recipient {
  readonly email: string
  readonly fullName: string
  /** Of the administrator who adds it. */
  readonly language: string | undefined
}

/** What is said of the organization is what was just committed. */
export interface Welcome {
  readonly organizationName: string
  readonly hasDatastore: boolean
  readonly saas: readonly string[]
  readonly password: string
  readonly hours: number
  readonly url: string
}

/** The invitation of the first administrator of an organization that the provider added. */
export const welcomeMail = (
  { email, fullName, language }: Recipient,
  { organizationName, hasDatastore, saas, password, hours, url }: Welcome,
): Letter => ({
  to: email,
  name: fullName,
  language,
  subject: 'You are invited',
  paragraphs: [
    `${organizationName} was added to the Data Management Platform, and you are its first administrator.`,
    hasDatastore
      ? 'Its datastore is ready, so you can upload scans as soon as you have signed in.'
      : 'Its datastore has not been created yet, so scans cannot be uploaded for now. You can sign in and add people.',
    ...(saas.length > 0 ? [`Licensed add-on apps: ${saas.join(', ')}.`] : []),
    `Sign in with this email address and the temporary password below, then choose your own password. The temporary password is valid for ${Math.round(hours)} hours. If it expires, ask us for a new one.`,
  ],
  code: password,
  link: { label: 'Sign in', address: `${url}/login` },
})
