import { webhook } from '@dmp/contract'
import { startRetention } from '../../db/retention.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { objectOf, store } from '../changes/changesInTests.ts'
import { deliveriesOf, hurry, makeWebhook, startReceiver, statuses, until, type Receiver } from './webhookInTests.ts'
import { WebhookSender } from './webhookSender.ts'

let server: TestServer
let admin: SignedIn
let receiver: Receiver
beforeAll(async () => {
  server = await startServer({ DMP_WEBHOOK_HOSTS: '127.0.0.1', DMP_QUIET_SECONDS: '86400' })
  admin = await server.signIn('admin')
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const { id } of (await admin.call(webhook.list, {})).data) await admin.call(webhook.remove, { id })
  await receiver.close()
})
afterAll(() => server.close())

let study = 0
const upload = (): Promise<unknown> => store(server, admin, objectOf(`1.53.${(study += 1)}`, 1, 1))

const reasonsOf = async (id: string) => {
  const rows = await server.deps.db.selectFrom('audit').select('subject').where('event', '=', 'WebhookPaused').execute()
  return rows
    .map(({ subject }) => subject as { webhookId: string; reason: string })
    .filter(({ webhookId }) => webhookId === id)
    .map(({ reason }) => reason)
}

/** Waits until what became of the one try is written down, and no server sends for it. */
const untilTried = (id: string): Promise<void> =>
  until(async () => {
    const row = await server.deps.db
      .selectFrom('webhooks')
      .select(['sender', 'failures'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.failures > 0 && row.sender === null
  })

describe('a webhook that its receiver wants to stop', () => {
  it('was stopped by a person meanwhile: that alone is recorded [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer((response) => {
      void admin.call(webhook.pause, { id }).then(() => response.writeHead(410).end())
    })
    await upload()
    await untilTried(id)
    expect((await admin.call(webhook.get, { id })).data.pausedReason).toBe('Person')
    expect(await reasonsOf(id)).toEqual(['Person'])
  })

  it('has another address meanwhile: it goes on with that one [P49]', async () => {
    const { id, name, kinds } = await makeWebhook(admin, receiver.url)
    const draft = { id, name, kinds, url: `${receiver.url}/new`, password: demoPassword }
    receiver.answer((response) => {
      void admin.call(webhook.update, draft).then(() => response.writeHead(410).end())
    })
    await upload()
    await untilTried(id)
    expect((await admin.call(webhook.get, { id })).data.status).toBe('Active')
    expect(await reasonsOf(id)).toEqual([])
    receiver.answer(204)
    await hurry(server, id)
    await statuses(admin, id, ['Delivered'])
  })

  it('has another secret meanwhile: it goes on with that one [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer((response) => {
      void admin.call(webhook.renewSecret, { id, password: demoPassword }).then(() => response.writeHead(410).end())
    })
    await upload()
    await untilTried(id)
    expect((await admin.call(webhook.get, { id })).data.status).toBe('Active')
    expect(await reasonsOf(id)).toEqual([])
  })
})

describe('what waits for longer than deliveries are kept', () => {
  it('is delivered when its webhook is resumed; a test is forgotten [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer(410)
    await upload()
    await until(async () => (await admin.call(webhook.get, { id })).data.pausedReason === 'Gone')
    const { db } = server.deps
    await db
      .insertInto('webhook_deliveries')
      .values({ webhook_id: id, type: 'WebhookTest', payload: '{"type":"WebhookTest"}' })
      .execute()
    await db
      .updateTable('webhook_deliveries')
      .set({ created_date: new Date(Date.now() - 31 * 86_400_000) })
      .where('webhook_id', '=', id)
      .execute()
    const retention = startRetention(db, server.deps.settings, () => undefined)
    await retention.round()
    await retention.close()
    expect((await deliveriesOf(admin, id)).map(({ type }) => type)).toEqual(['SeriesCreated'])
    receiver.answer(204)
    await admin.call(webhook.resume, { id })
    await statuses(admin, id, ['Delivered'])
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  })
})

describe('a webhook whose server was slow', () => {
  it('is left to the one that has gone on with it [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    const setRow = (row: object) => server.deps.db.updateTable('webhooks').set(row).where('id', '=', id).execute()
    await setRow({ rest_until: new Date(Date.now() + 3_600_000) })
    await upload()
    const slow = new WebhookSender(server.deps)
    const { look } = WebhookSender.prototype
    const alone = jest.spyOn(WebhookSender.prototype, 'look').mockImplementation(async function (this: WebhookSender) {
      if (this === slow) await look.call(this)
    })
    await setRow({ rest_until: null })
    const begun = Promise.withResolvers<() => void>()
    receiver.answer((response) => begun.resolve(() => void response.writeHead(204).end()))
    const turn = slow.round()
    const answerLate = await begun.promise
    const other = { sender: 'another server', sender_until: new Date(Date.now() + 60_000) }
    await setRow(other)
    answerLate()
    await turn
    const row = server.deps.db.selectFrom('webhooks').select(['sender', 'sender_until']).where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual(other)
    alone.mockRestore()
  })
})
