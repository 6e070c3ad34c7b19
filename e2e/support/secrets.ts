import { appendFileSync } from 'node:fs'
import type { Request, Response } from 'playwright/test'

/** Where the run collects what the server's log must not hold (P23); whoever started the run searches for it at the end. */
const file = process.env.E2E_SECRETS

const fields = /"(?:accessToken|refreshToken|idToken|session|code|password|newPassword|oldPassword|NewPassword|ConfirmationCode|mfaCode|downloadUrl|token)":"([^"]{6,4096})"/g

/** Secrets in a text of JSON: tokens, codes, passwords, and what makes an address secret. */
export function secretsIn(text: string): string[] {
  const words = [...text.matchAll(fields)].map(([, word = '']) => (word.includes('://') ? (word.split('/').at(-1) ?? '') : word))
  const links = [...text.matchAll(/\/(?:reset-password\/[\w-]+|share)\/([\w-]{20,})/g)].map(([, word = '']) => word)
  return [...words, ...links]
}

export function keepSecrets(text: string): string[] {
  const found = secretsIn(text)
  if (file && found.length > 0) appendFileSync(file, `${found.join('\n')}\n`)
  return found
}

/** What signing in, mail and links bring: the texts that hold secrets, sent and answered. */
export async function keepSecretsOf(response: Response): Promise<string[]> {
  if (!isTelling(response.request())) return []
  return [...keepSecrets(response.request().postData() ?? ''), ...keepSecrets(await response.text())]
}

const isTelling = (request: Request): boolean => /\/api\/account\/|\/dev\/mail\.json|\/api\/Scan\/(?:share|download|openShared)/i.test(request.url()) && !request.url().endsWith('/profile')
