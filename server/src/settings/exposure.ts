import { isIP } from 'node:net'
import type { Settings } from './settings.ts'

/** A demo is for this machine alone, unless somebody says otherwise: its passwords are public. */
export const listenAddress = ({ host, isDemo }: Pick<Settings, 'host' | 'isDemo'>): string =>
  host ?? (isDemo ? '127.0.0.1' : '0.0.0.0')

/** Sentences about settings with which the server starts, and which somebody should change. */
export function listWarnings({ isDemo, publicUrl }: Pick<Settings, 'isDemo' | 'publicUrl'>): string[] {
  if (isDemo || publicUrl === undefined) return []
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' || isLoopback(hostname)) return []
  return [
    `DMP_PUBLIC_URL is ${publicUrl}, without TLS: passwords, tokens and images cross the network in the open, and ` +
      'browsers keep the cookies of the session without Secure. Put a proxy with a certificate in front, and set ' +
      `DMP_PUBLIC_URL=https://${hostname}.`,
  ]
}

const isLoopback = (name: string): boolean =>
  /(?:^|\.)localhost$/.test(name) || name === '[::1]' || (isIP(name) === 4 && name.startsWith('127.'))
