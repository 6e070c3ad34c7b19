import { formatMinute } from '../../core/timeZones.ts'
import type { Letter } from '../../outside/letter.ts'

interface Recipient {
  readonly email: string
  readonly fullName: string
  /** Of who asks for the mail. */
  readonly language?: string | undefined
}

const to = ({ email, fullName, language }: Recipient) => ({ to: email, name: fullName, language })

/** `sayIn` knows these words within a sentence. */
function durationText(minutes: number): string {
  if (minutes === 1) return '1 minute'
  const [hours, rounded] = [Math.round(minutes / 60), Math.round(minutes * 100) / 100]
  return minutes > 180 ? `${hours} hours` : `${rounded} minutes`
}

export const codeMail = (recipient: Recipient, code: string, minutes: number): Letter => ({
  ...to(recipient),
  subject: 'Your verification code',
  isAwaited: true,
  paragraphs: [`Please enter this code to finish signing in. It is valid for ${durationText(minutes)} and works once.`],
  code,
  afterwards: ['If you are not signing in right now, someone knows your password. Change it now.'],
})

export const temporaryPasswordSubject = 'Your temporary password'
export const temporaryPasswordMail = (recipient: Recipient, password: string, hours: number, url: string): Letter => ({
  ...to(recipient),
  subject: temporaryPasswordSubject,
  paragraphs: [
    `An account was created for you with this email address. Sign in with the temporary password below, then choose your own password. The temporary password is valid for ${durationText(hours * 60)}.`,
  ],
  code: password,
  link: { label: 'Sign in', address: `${url}/login` },
})

export const resetMail = (recipient: Recipient, link: string, minutes: number): Letter => ({
  ...to(recipient),
  subject: 'Change your password',
  isAwaited: true,
  paragraphs: [
    `We received a request to reset your password. Use this link to choose a new one. It is valid for ${durationText(minutes)} and works once.`,
  ],
  link: { label: 'Choose a new password', address: link },
  afterwards: ['If you did not ask for this, ignore this mail. Your password stays the same.'],
})

export const passwordChangedMail = (recipient: Recipient, url: string): Letter => ({
  ...to(recipient),
  subject: 'Your password was changed',
  paragraphs: ['Your password was changed, and you were signed out on your other devices.'],
  link: { label: 'Sign in', address: `${url}/login` },
  afterwards: ['If this was not you, use "Forgot password" now to choose a new password, and tell your administrator.'],
})

/** By the reader's own clock, where it is known. */
export function newPlaceMail(
  recipient: Recipient & { readonly timeZone: string | null },
  what: string,
  when: Date,
  url: string,
): Letter {
  const zone = recipient.timeZone ?? 'UTC'
  const moment = formatMinute(when, zone)
  return {
    ...to(recipient),
    subject: 'Your account was used in a new place',
    paragraphs: [`Somebody signed in to your account in a new place: ${what}, at ${moment} (${zone}).`],
    link: { label: 'Look at your sessions', address: `${url}/account/security` },
    afterwards: ['If that was you, there is nothing to do. If not, change your password now: that ends every session.'],
  }
}

export const sessionAlarmMail = (recipient: Recipient, url: string): Letter => ({
  ...to(recipient),
  subject: 'We signed one of your devices out',
  paragraphs: ['We noticed unusual activity in one of your sessions and signed that device out.'],
  link: { label: 'Sign in again', address: `${url}/login` },
  afterwards: ['If this happens again, tell your administrator.'],
})
