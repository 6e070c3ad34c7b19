import type { FastifyInstance } from 'fastify'
import type { DiskPlace, ScarceDisk } from '../../core/diskSpace.ts'
import { toJobId } from '../../db/jobs.ts'
import type { Dependencies } from '../../dependencies.ts'

const everyMs = 60_000

const names: Readonly<Record<DiskPlace, string>> = {
  database: 'the database',
  objects: 'incoming objects',
}

export function describeScarce({ place, freeMegabytes, isFull }: ScarceDisk): string {
  // Whole sentences, since a mail says them in the language of its reader.
  if (place === 'database')
    return isFull
      ? `The disk of the database has ${freeMegabytes} MB left: uploads and changes are refused until there is more. Free space or enlarge it.`
      : `The disk of the database has ${freeMegabytes} MB left. Free space or enlarge it before uploads and changes are refused.`
  return isFull
    ? `The disk of incoming objects has ${freeMegabytes} MB left: uploads and changes are refused until there is more. Free space or enlarge it.`
    : `The disk of incoming objects has ${freeMegabytes} MB left. Free space or enlarge it before uploads and changes are refused.`
}

/**
 * Tells that a disk gets full before it is: in the log, and by mail to the super administrators, once a day and by one
 * server of several.
 */
export function watchDisk(app: FastifyInstance, deps: Dependencies): void {
  const { disk, jobs, database, db, log } = deps
  const told = new Map<DiskPlace, boolean>()
  const look = async (): Promise<void> => {
    const scarce = await disk.listScarce()
    // Gives back what the log of the embedded database no longer needs.
    if (scarce.some(({ place }) => place === 'database')) await database.embedded?.query('checkpoint')
    for (const found of scarce) {
      if (told.get(found.place) === found.isFull) continue
      log[found.isFull ? 'error' : 'warn'](found, describeScarce(found))
      const slot = `${found.place} ${found.isFull} ${new Date().toISOString().slice(0, 10)}`
      await db.transaction().execute((trx) => jobs.add(trx, 'disk-notice', [{ id: toJobId(`disk ${slot}`) }]))
      jobs.wake('disk-notice')
      told.set(found.place, found.isFull)
    }
    for (const place of told.keys())
      if (!scarce.some((found) => found.place === place)) {
        told.delete(place)
        log.info({ place }, `The disk of ${names[place]} has enough space again.`)
      }
  }
  let running = Promise.resolve()
  const round = (): void => {
    running = running.then(look).catch((error: unknown) => {
      log.error(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'the notice of a full disk was not sent',
      )
    })
  }
  const timer = setInterval(round, everyMs)
  timer.unref()
  app.addHook('onReady', async () => {
    await jobs.work('disk-notice', 1, () => sendNotices(deps))
    round()
    await running
  })
  app.addHook('preClose', async () => {
    clearInterval(timer)
    await running
  })
}

async function sendNotices({ db, disk, mail, publicUrl }: Dependencies): Promise<void> {
  const scarce = await disk.listScarce()
  if (scarce.length === 0) return
  const administrators = await db
    .selectFrom('users')
    .select('email')
    .where('role', '=', 'super_admin')
    .where('status', '=', 'Activated')
    .execute()
  await db.transaction().execute(async (trx) => {
    for (const { email } of administrators)
      await mail.queue(trx, {
        to: email,
        subject: `A disk of ${new URL(publicUrl()).host} is nearly full`,
        paragraphs: [
          ...scarce.map(describeScarce),
          'Deleting scans, reading and signing in stay possible for a while. The operator finds the steps under "When something is wrong" in docs/operations.md.',
        ],
      })
  })
  mail.deliver()
}
