import type { FastifyInstance } from 'fastify'
import { workHourly } from '../../../db/hourlyJob.ts'
import type { Job } from '../../../db/jobs.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { tellSuperAdministrators } from '../../account/tellSuperAdministrators.ts'
import { walkChains } from '../../audit/chainWalk.ts'
import { readHeads } from '../../audit/heads.ts'
import { readKeyedSince } from '../../audit/keyedSince.ts'
import { scrubMail } from './scrub.mails.ts'
import { checkRows, type Part, type StoreProblem } from './storedBytes.ts'

const dayMs = 24 * 3_600_000
/** What disks and buckets hardly notice; more only where a day's part would take longer than half a day. */
const leastBytesPerSecond = 20 * 2 ** 20

/**
 * Reads what is stored before somebody needs it: a part of all bytes each day, so that each is compared with its hash
 * within `DMP_SCRUB_DAYS`, and in that time once the audit chains. One server of several does it, and begins its day
 * again where it was stopped.
 */
export function scrubStore(app: FastifyInstance, deps: Dependencies): void {
  const { objects, settings } = deps
  if (settings.scrubDays === 0 || objects.isArchive) return
  workHourly(app, deps, {
    kind: 'scrub',
    everyMs: dayMs,
    work: (job) => scrub(deps, job),
    problem: 'stored bytes were not read again',
  })
}

async function scrub(deps: Dependencies, { signal }: Job): Promise<void> {
  const { settings, db, objects, log } = deps
  const part: Part = { nth: Math.floor(Date.now() / dayMs) % settings.scrubDays, of: settings.scrubDays }
  const problems: StoreProblem[] = []
  await checkRows({
    db,
    objects,
    part,
    bytesPerSecond: await findPace(deps, part),
    onProgress: () => undefined,
    report: (problem) => void problems.push(problem),
    signal,
  })
  const breaks = part.nth === 0 ? await countBreaks(deps, signal) : 0
  if (problems.length === 0 && breaks === 0) return
  for (const { kind, what } of problems) log.error({ kind, object: what }, 'a stored object is not what was uploaded')
  if (breaks > 0) log.error({ breaks }, 'the audit chains are broken: run npm run admin -- audit')
  await tell(deps, problems, breaks)
}

async function findPace({ db }: Dependencies, { of }: Part): Promise<number> {
  const { bytes } = await db
    .selectFrom('scan_totals')
    .select(({ fn }) => fn.sum<string | null>('byte_size').as('bytes'))
    .executeTakeFirstOrThrow()
  return Math.max(leastBytesPerSecond, Number(bytes ?? 0) / of / (dayMs / 2000))
}

async function countBreaks({ db, keys, settings }: Dependencies, signal: AbortSignal): Promise<number> {
  const known = readKeyedSince(settings, keys.audit)
  return (await walkChains({ db, keys: keys.audit, heads: readHeads(settings), known, signal })).breakCount
}

async function tell(deps: Dependencies, problems: readonly StoreProblem[], breaks: number): Promise<void> {
  const { host } = new URL(deps.publicUrl())
  await deps.db
    .transaction()
    .execute((trx) => tellSuperAdministrators(deps, trx, ({ email }) => scrubMail(email, host, problems, breaks)))
  deps.mail.deliver()
}
