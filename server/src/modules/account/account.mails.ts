import { letter } from '../../outside/letter.ts'
import type { Mail } from '../../outside/mail.ts'

interface Recipient {
  readonly email: string
  readonly fullName: string
}

const to = ({ email, fullName }: Recipient) => ({ to: email, name: fullName })

function inWords(minutes: number): string {
  if (minutes === 1) return '1 minute'
  if (minutes > 180) return `${Math.round(minutes / 60)} hours`
  return `${Math.round(minutes * 100) / 100} minutes`
}

export const codeMail = (recipient: Recipient, code: string, minutes: number): Mail =>
  letter({
    ...to(recipient),
    subject: 'Your verification code',
    isAwaited: true,
    paragraphs: [`Please enter this code to finish signing in. It is valid for ${inWords(minutes)} and works once.`],
    code,
    afterwards: ['If you are not signing in right now, someone knows your password. Change it now.'],
  })

export const temporaryPasswordSubject = 'Your temporary password'
export const temporaryPasswordMail = (recipient: Recipient, password: string, hours: number, url: string): Mail =>
  letter({
    ...to(recipient),
    subject: temporaryPasswordSubject,
    paragraphs: [
      `An account was created for you with this email address. Sign in with the temporary password below, then choose your own password. The temporary password is valid for ${inWords(hours * 60)}.`,
    ],
    code: password,
    link: { label: 'Sign in', address: `${url}/login` },
  })

export const resetMail = (recipient: Recipient, link: string, minutes: number): Mail =>
  letter({
    ...to(recipient),
    subject: 'Change your password',
    isAwaited: true,
    paragraphs: [
      `We received a request to reset your password. Use this link to choose a new one. It is valid for ${inWords(minutes)} and works once.`,
    ],
    link: { label: 'Choose a new password', address: link },
    afterwards: ['If you did not ask for this, ignore this mail. Your password stays the same.'],
  })

export const passwordChangedMail = (recipient: Recipient, url: string): Mail =>
  letter({
    ...to(recipient),
    subject: 'Your password was changed',
    paragraphs: ['Your password was changed, and you were signed out on your other devices.'],
    link: { label: 'Sign in', address: `${url}/login` },
    afterwards: [
      'If this was not you, use "Forgot password" now to choose a new password, and tell your administrator.',
    ],
  })

/** `when` is the time of the sign-in; people have no time zone in the product yet. */
export const newPlaceMail = (recipient: Recipient, what: string, when: Date, url: string): Mail =>
  letter({
    ...to(recipient),
    subject: 'Your account was used in a new place',
    paragraphs: [
      `Somebody signed in to your account in a new place: ${what}, at ${when.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    ],
    link: { label: 'Look at your sessions', address: `${url}/account/security` },
    afterwards: ['If that was you, there is nothing to do. If not, change your password now: that ends every session.'],
  })

export const sessionAlarmMail = (recipient: Recipient, url: string): Mail =>
  letter({
    ...to(recipient),
    subject: 'We signed one of your devices out',
    paragraphs: ['We noticed unusual activity in one of your sessions and signed that device out.'],
    link: { label: 'Sign in again', address: `${url}/login` },
    afterwards: ['If this happens again, tell your administrator.'],
  })
