/** Longer than any token that this server signs; longer texts are refused unread. */
const tokenMaxChars = 4096

export const bearerToken = (header: string | undefined): string | undefined =>
  bounded(header?.match(/^Bearer ([\w.-]+)$/i)?.[1])

export interface BasicCredential {
  readonly user: string
  readonly password: string
}

/** User name and password of Basic authentication (RFC 7617). */
export function basicCredential(header: string | undefined): BasicCredential | undefined {
  const encoded = bounded(header?.match(/^Basic ([A-Za-z0-9+/=]+)$/i)?.[1])
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

const bounded = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= tokenMaxChars ? text : undefined
