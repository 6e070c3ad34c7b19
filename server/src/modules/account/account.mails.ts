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
    paragraphs: [`Please enter this code to finish signing in. It is valid for ${inWords(minutes)} and works once.`],
    code,
    afterwards: ['If you are not signing in right now, somebody knows your password: please change it.'],
  })

export const temporaryPasswordMail = (recipient: Recipient, password: string, hours: number, url: string): Mail =>
  letter({
    ...to(recipient),
    subject: 'Your temporary password',
    paragraphs: [
      `An account is set up for you with this email address. Sign in with the temporary password below and choose a password of your own. It is valid for ${inWords(hours * 60)}.`,
    ],
    code: password,
    link: { label: 'Sign in', address: `${url}/login` },
  })

export const resetMail = (recipient: Recipient, link: string, minutes: number): Mail =>
  letter({
    ...to(recipient),
    subject: 'Change your password',
    paragraphs: [
      `Somebody asked to change the password of your account. Use this link to choose a new one. It is valid for ${inWords(minutes)} and works once.`,
    ],
    link: { label: 'Choose a new password', address: link },
    afterwards: ['If it was not you, you can ignore this mail: your password stays as it is.'],
  })

export const passwordChangedMail = (recipient: Recipient, url: string): Mail =>
  letter({
    ...to(recipient),
    subject: 'Your password was changed',
    paragraphs: ['The password of your account was changed, and other sessions were signed out.'],
    link: { label: 'Sign in', address: `${url}/login` },
    afterwards: [
      'If it was not you, ask for a new password with "Forgot password" at once and tell your administrator.',
    ],
  })

export const sessionAlarmMail = (recipient: Recipient, url: string): Mail =>
  letter({
    ...to(recipient),
    subject: 'A session was ended for your safety',
    paragraphs: [
      'An outdated key of one of your sessions was used again, which can mean that it was copied. The session was ended.',
    ],
    link: { label: 'Sign in again', address: `${url}/login` },
    afterwards: ['If this happens again, please tell your administrator.'],
  })
