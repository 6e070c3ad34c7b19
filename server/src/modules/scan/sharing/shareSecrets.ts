import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Caller } from '../../../core/context.ts'
import { toAddressKey } from '../../../core/addressKey.ts'
import { Refusal } from '../../../core/errors.ts'
import { isEqualSecret } from '../../../core/isEqualSecret.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { LoginAttempt } from '../../../identity/loginAttempts.ts'
import { createLoginThrottle } from '../../account/loginThrottle.ts'
import { shareCodeMail } from './sharing.mails.ts'
import type { ShareLink } from './shareLink.ts'

/** Wrong passwords or codes before further ones wait: of one network, and of all together for one link. */
const freeOfAddress = 5
const freeOfLink = 50
const codeMinutes = 10
/** The first codes may follow each other quickly; later ones wait until the one before is over. */
const quickCodes = 5
const [quickSeconds, slowSeconds] = [60, 600]

interface Secrets {
  readonly password: string | null
  readonly code: string | null
}

export interface ShareSecrets {
  /** Throws 400 at the field, or 429 when there were too many wrong ones. */
  check(row: ShareLink['row'], secrets: Secrets, caller: Caller): Promise<void>
  /** Mails a new code, unless one went out just now. */
  sendCode(row: ShareLink['row'], caller: Caller): Promise<void>
}

/**
 * Guesses are counted by network first, so that one holder of a link who guesses does not keep the others out; the
 * limit of the link bounds those who guess from many networks.
 */
export function createShareSecrets(deps: Dependencies): ShareSecrets {
  const throttle = createLoginThrottle(deps.db, deps.keys)
  const isRight = async (row: ShareLink['row'], { password, code }: Secrets): Promise<boolean> => {
    if (row.has_code) return code !== null && spendCode(deps, row.id, code)
    const { password_hash: hash } = row
    if (hash === null || password === null) return false
    // Blanks come along where it is copied; a link of an earlier version may have some in its password.
    const tries = [...new Set([password.trim(), password])]
    for (const one of tries) if (await deps.hasher.isRight(one, hash)) return true
    return false
  }
  return {
    check: async (row, secrets, caller) => {
      if (!row.has_code && row.password_hash === null) return
      const attempts: readonly [LoginAttempt, LoginAttempt] = [
        { key: `share:${row.id}:${toAddressKey(caller.ip)}`, free: freeOfAddress },
        { key: `share:${row.id}`, free: freeOfLink },
      ]
      // Colleagues behind one address may open a link at the same moment.
      await throttle.inTurn(attempts[0], async () => {
        for (const attempt of attempts) await throttle.reserve(attempt)
        if (!(await isRight(row, secrets))) throw wrongSecret(row.has_code)
        await throttle.release(attempts[0], 'all')
        await throttle.release(attempts[1], 'one')
      })
    },
    sendCode: (row, caller) => sendCode(deps, row, caller),
  }
}

function wrongSecret(isCode: boolean): Refusal {
  const [path, code, message] = isCode
    ? (['code', 'WRONG_CODE', 'This code is wrong or no longer valid.'] as const)
    : (['password', 'WRONG_PASSWORD', 'This password is wrong.'] as const)
  return new Refusal(400, code, message, [{ path, message }])
}

const digestCode = ({ keys }: Dependencies, shareId: string, code: string): string =>
  keys.digest('code', `share:${shareId}:${code}`)

/** A code works once. */
async function spendCode(deps: Dependencies, shareId: string, code: string): Promise<boolean> {
  const row = await deps.db
    .selectFrom('scan_shares')
    .select('code_hash')
    .where('id', '=', shareId)
    .where('code_expires_date', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!row?.code_hash || !isEqualSecret(row.code_hash, digestCode(deps, shareId, code))) return false
  const used = await deps.db
    .updateTable('scan_shares')
    .set({ code_hash: null, codes_sent: 0 })
    .where('id', '=', shareId)
    .where('code_hash', '=', row.code_hash)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

async function sendCode(deps: Dependencies, row: ShareLink['row'], { language }: Caller): Promise<void> {
  const { recipient } = row
  if (!row.has_code || recipient === null) return
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const wait = sql<Date>`now() - make_interval(secs => case when codes_sent < ${quickCodes}::int
    then ${quickSeconds}::int else ${slowSeconds}::int end)`
  await deps.db.transaction().execute(async (trx) => {
    const sent = await trx
      .updateTable('scan_shares')
      .set({
        code_hash: digestCode(deps, row.id, code),
        code_expires_date: sql<Date>`now() + make_interval(mins => ${codeMinutes}::int)`,
        code_sent_date: sql<Date>`now()`,
        codes_sent: sql<number>`codes_sent + 1`,
      })
      .where('id', '=', row.id)
      .where((where) => where.or([where('code_sent_date', 'is', null), where('code_sent_date', '<=', wait)]))
      .returning('id')
      .executeTakeFirst()
    const sender = { to: recipient, language, organizationId: row.organization_id }
    if (sent) await deps.mail.queue(trx, shareCodeMail(sender, code, codeMinutes))
  })
  deps.mail.deliver()
}
