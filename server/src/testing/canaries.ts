import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/client.ts'

/** Fields that are secrets wherever they stand, in requests and in answers. */
const secretFields: ReadonlySet<string> = new Set([
  'password',
  'newPassword',
  'oldPassword',
  'confirmNewPassword',
  'NewPassword',
  'ConfirmNewPassword',
  'ConfirmationCode',
  'mfaCode',
  'accessToken',
  'refreshToken',
  'idToken',
  'session',
  'token',
  'secret',
  'downloadUrl',
  'patientName',
])
/** Shorter words stand in logs by chance. */
const shortest = 8

/** P23: what must not be in the log of a server, gathered from everything that went in and out of it. */
export interface Canaries {
  /** Lines that hold one of them, with its field's name instead of it. */
  leaks(db: Db): Promise<string[]>
}

/** Listens to every request and answer of the server, whichever way they come. */
export function watchCanaries(app: FastifyInstance, logs: readonly string[]): Canaries {
  const secrets = new Map<string, string>()
  /** Texts that a test also sends as something else, such as hostile text in every field, are no secrets. */
  const plain = new Set<string>()
  const add = (field: string, value: unknown): void => {
    if (typeof value !== 'string') return
    // Of an address, what makes it secret.
    const word = field === 'downloadUrl' ? (value.split('/').at(-1) ?? '') : value
    if (word.length >= shortest) secrets.set(word, field)
  }
  const hear = (value: unknown): void => {
    // A body that is still a stream leads to its socket and back.
    if (typeof value !== 'object' || value === null || 'pipe' in value) return
    for (const [field, inner] of Object.entries(value)) {
      if (secretFields.has(field)) add(field, inner)
      else if (typeof inner === 'string') plain.add(inner)
      hear(inner)
    }
  }
  app.addHook('onSend', async (request, reply, payload) => {
    hear(request.body)
    if (typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('application/json'))
      hear(JSON.parse(payload))
  })

  return {
    leaks: async (db) => {
      // The sent mails, and the patients of the stored scans; a test that took its database away has nothing to ask.
      const mails = await db
        .selectFrom('mails')
        .select(['code', 'links'])
        .execute()
        .catch(() => [])
      for (const { code, links } of mails) {
        if (code !== null) secrets.set(code, 'mailed code')
        for (const link of links)
          if (/\/(?:reset-password|share)\//.test(link)) add('mailed link', link.split('/').at(-1))
      }
      const names = await db
        .selectFrom('series')
        .select('patient_name')
        .distinct()
        .execute()
        .catch(() => [])
      for (const { patient_name: name } of names) add('patientName', name)
      for (const word of plain) secrets.delete(word)
      return leaksIn(logs, secrets)
    },
  }
}

/** Six digits alone are a code only as a word of their own: instants are full of digits. */
const holds = (line: string, word: string): boolean =>
  /^\d{6}$/.test(word)
    ? new RegExp(`(?<![\\d.])${word}(?![\\d.])`).test(line)
    : line.includes(word) || line.includes(JSON.stringify(word).slice(1, -1))

export function leaksIn(logs: readonly string[], secrets: ReadonlyMap<string, string>): string[] {
  return logs.flatMap((line) =>
    [...secrets].flatMap(([word, field]) =>
      holds(line, word) ? [`${field} in: ${line.replaceAll(word, '…').slice(0, 400)}`] : [],
    ),
  )
}
