import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { startServer, type TestServer } from '../../testing/server.ts'
import { asOwner } from './chainInTests.ts'
import { walkChains, type Verdict } from './chainWalk.ts'
import { readHeads, toHeadFile, type FoundHead } from './heads.ts'

/** The heads that an operator finds when the data folder is gone as well. */
let bucket: S3Server
let server: TestServer
const mailbox = 'heads@dmp.example'
beforeAll(async () => {
  bucket = await startS3Server()
  const { DMP_S3_BUCKET: name, ...access } = bucket.variables
  server = await startServer({ ...access, DMP_AUDIT_BUCKET: `s3://${name}/kept`, DMP_AUDIT_MAIL: mailbox })
  // The start wrote the heads of an empty log. After something happened, the next hour and the next day come.
  await server.signIn('admin')
  await server.mailTo(mailbox)
  const { db, jobs } = server.deps
  await db.deleteFrom('mails').execute()
  for (const kind of ['audit-bucket', 'audit-mail'] as const) {
    await db.transaction().execute((trx) => jobs.add(trx, kind, [{ id: randomUUID() }]))
    jobs.wake(kind)
  }
})
afterAll(async () => {
  await server.close()
  await bucket.close()
})

const collect = async (files: readonly string[] = []): Promise<FoundHead[]> => {
  const heads: FoundHead[] = []
  for await (const head of readHeads(server.deps.settings, files)) heads.push(head)
  return heads
}
const walk = (heads: readonly FoundHead[]): Promise<Verdict> =>
  walkChains({
    db: server.deps.db,
    keys: server.deps.keys.audit,
    known: undefined,
    heads: (async function* () {
      yield* heads
    })(),
  })

it('heads by mail and in a bucket show that the newest records were deleted, each by itself [P24]', async () => {
  let inBucket: FoundHead[] = []
  while (inBucket.length === 0) {
    inBucket = (await collect()).filter(({ source }) => source.startsWith('bucket '))
    await new Promise((again) => setTimeout(again, 20))
  }
  const { text, html } = await server.mailTo(mailbox)
  const file = join(server.deps.settings.dataDir, 'saved mail.txt')
  // Lines of a log may be cut, and may speak of heads without being one.
  writeFileSync(file, `{"auditHead":{"chain":\n{"auditHead":{}}\n{"msg":"auditHead"}\n${text}`)
  rmSync(toHeadFile(server.deps.settings), { force: true })
  const inMail = (await collect([file])).filter(({ source }) => source === file)
  expect([html, inMail.length]).toEqual(['', inBucket.length])
  for (const heads of [inBucket, inMail]) expect((await walk(heads)).breakCount).toBe(0)

  const { chain, position } = inBucket[0]!.head
  const { db } = server.deps
  await asOwner(db, () => db.deleteFrom('audit').where('chain', '=', chain).where('position', '>=', position).execute())
  expect((await walk([])).breakCount).toBe(0)
  for (const heads of [inBucket, inMail]) expect((await walk(heads)).breaks[0]).toMatchObject({ chain })
})
