import { scan } from '@dmp/contract'
import { sendMail } from '../outside/mail.ts'
import { abandonTransfer, runTransfer } from './scan/transfer/transferRunner.ts'
import { admin, begin, canary, getFinished, server, south, startWithCanaries } from './scan/transfer/transferInTests.ts'

/** Every kind of job may be begun again after it was done: its server died before it could say so. */
beforeAll(startWithCanaries)
afterAll(() => server.close())

const signal = new AbortController().signal
const transfers = async (id: string) => (await admin.call(scan.listTransfers, {})).data.find((row) => row.id === id)

describe('a job that is done twice does its work once', () => {
  it('mail: the mail server gets one mail [P20]', async () => {
    const { db } = server.deps
    const { id } = await db
      .insertInto('mails')
      .values({ recipient: 'a@b.example', subject: 's', text: 't', html: 'h', links: [], code: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const sent: string[] = []
    const transport = { sendMail: async ({ to }: { to: string }) => void sent.push(to) } as never
    for (let time = 0; time < 2; time += 1) await sendMail(db, transport, id, false)
    expect(sent).toEqual(['a@b.example'])
  })

  it('transfer, and the transfer that was given up: nothing is copied, told or changed again [P20]', async () => {
    const { id } = (await begin([canary])).data
    await getFinished(id)
    const [done, received] = [await transfers(id), (await south.call(scan.list, {})).total]
    await runTransfer(server.deps, { id, signal })
    await abandonTransfer(server.deps, id)
    expect([await transfers(id), (await south.call(scan.list, {})).total]).toEqual([done, received])
    await server.deps.db
      .updateTable('transfers')
      .set({ state: 'Running', finished_date: null })
      .where('id', '=', id)
      .execute()
    await server.deps.db.updateTable('transfer_scans').set({ state: 'Running' }).where('transfer_id', '=', id).execute()
    await abandonTransfer(server.deps, id)
    const givenUp = await transfers(id)
    expect(givenUp?.state).toBe('Failed')
    await abandonTransfer(server.deps, id)
    expect(await transfers(id)).toEqual(givenUp)
  })
})
