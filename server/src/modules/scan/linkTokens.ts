import { createHash, randomBytes } from 'node:crypto'

/** 256 bits that open one thing for anyone who has them (P25); only their hash is stored. */
export const createLinkToken = (): string => randomBytes(32).toString('base64url')

export const hashLinkToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const isLinkToken = (token: string): boolean => /^[\w-]{43,44}$/.test(token)

/**
 * For a link with rules that servers of the version before do not know, such as looking without downloading: it is a
 * byte longer, so that they take it for no link while a rolling upgrade goes on.
 */
export const createRuledLinkToken = (): string => randomBytes(33).toString('base64url')
