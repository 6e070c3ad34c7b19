import { createHash, randomBytes } from 'node:crypto'

/** 256 bits that open one thing for whoever has them (P25); only the hash is stored. */
export const createLinkToken = (): string => randomBytes(32).toString('base64url')

export const hashLinkToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const isLinkToken = (token: string): boolean => /^[\w-]{43}$/.test(token)
