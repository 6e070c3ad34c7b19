import { appendFileSync } from 'node:fs'
import type { Request, Response } from 'playwright/test'

/**
 * The file in which the run collects the secrets that the server's log must not hold (P23); the run ends with a search.
 */
const file = process.env.E2E_SECRETS

const fields: ReadonlySet<string> = new Set([
  'accessToken',
  'refreshToken',
  'idToken',
  'session',
  'code',
  'password',
  'newPassword',
  'oldPassword',
  'NewPassword',
  'ConfirmationCode',
  'mfaCode',
  'downloadUrl',
  'token',
])
const shortest = 6

/** Secrets in a text of JSON: tokens, codes, passwords, and what makes an address secret. */
export function secretsIn(text: string): string[] {
  const foundSecrets: string[] = []
  const walk = (value: unknown, field = ''): void => {
    if (typeof value === 'string') {
      const isLink = (value.includes('/reset-password/') || value.includes('/share/')) && !/\s/.test(value)
      if (fields.has(field) || isLink)
        foundSecrets.push(value.includes('://') ? (value.split('/').at(-1) ?? '') : value)
    } else if (typeof value === 'object' && value !== null) {
      // Elements of a list are what the list is called.
      for (const [name, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? field : name)
    }
  }
  try {
    walk(JSON.parse(text))
  } catch {
    // No JSON, no fields.
  }
  return foundSecrets.filter((word) => word.length >= shortest)
}

export function keepSecrets(text: string): string[] {
  const foundSecrets = secretsIn(text)
  if (file && foundSecrets.length > 0) appendFileSync(file, `${foundSecrets.join('\n')}\n`)
  return foundSecrets
}

/** The fields that hold secrets of sign-in, mail and links, in requests and answers. */
export async function collectSecrets(response: Response): Promise<string[]> {
  if (!isTelling(response.request())) return []
  return [...keepSecrets(response.request().postData() ?? ''), ...keepSecrets(await response.text())]
}

const isTelling = (request: Request): boolean =>
  /\/api\/account\/|\/dev\/mail\.json|\/api\/Scan\/(?:share|download|openShared)/i.test(request.url()) &&
  !request.url().endsWith('/profile')
