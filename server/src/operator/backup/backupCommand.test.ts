import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { makeServer, type Server } from '../../app.ts'
import type { Tables } from '../../db/tables/index.ts'
import { readSettings } from '../../settings/settings.ts'
import { callsAt, objectOf } from '../../testing/callsFromOutside.ts'
import { startChild } from '../../testing/childServer.ts'
import { prepareFolder } from '../../testing/prepared.ts'
import { backupCommand } from './backupCommand.ts'

const work = mkdtempSync(join(tmpdir(), 'dmp-backup-'))
const variablesOf = (name: string) => ({
  DMP_DEMO: '1',
  DMP_DATA_DIR: join(work, name),
  DMP_DISK_NOTICE_MB: '0',
  DMP_SCRUB_DAYS: '0',
})
let server: Server
beforeAll(async () => {
  await prepareFolder(variablesOf('original').DMP_DATA_DIR)
  server = await makeServer(readSettings(variablesOf('original')), { log: pino({ level: 'silent' }) })
  const calls = callsAt(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const objects = [1, 2, 3].map((number) => objectOf('1.95', number, 8192))
  expect((await calls.stow(await calls.signIn(), objects)).status).toBe(200)
})
afterAll(async () => {
  await server.close()
  rmSync(work, { recursive: true, force: true })
})

it('gives back what was deleted for good after its rows were copied and before it was written [P87]', async () => {
  const { database, settings, objects, db } = server.deps
  const folder = join(work, 'backups')
  const rows = await db.selectFrom('instances').select('object_key').where('study_uid', '=', '1.95').execute()
  expect(rows).toHaveLength(3)
  let copies = 0
  // The rows of the moment are copied on a connection of their own.
  const execute = async <T>(copy: (held: Kysely<Tables>) => Promise<T>): Promise<T> => {
    copies += 1
    const copied = await db.connection().execute(copy)
    await db.deleteFrom('instances').where('study_uid', '=', '1.95').execute()
    await objects.remove(rows.map(({ object_key }) => object_key))
    return copied
  }
  // The server's own jobs take connections, too: only the backup's are watched.
  const watched = new Proxy(db, {
    get(target, name) {
      if (name === 'connection') return () => ({ execute })
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const signal = new AbortController().signal
  await backupCommand({ database: { ...database, db: watched }, settings }, { folder }, () => undefined, signal)
  expect(copies).toBe(1)
  const restored = variablesOf('restored')
  expect(await startChild(restored, 'restore.ts', [folder]).ended).toMatchObject({ code: 0, errors: '' })
  expect((await startChild(restored, 'fsck.ts').ended).out).toBe('Everything is in order.\n')
})
