import { businessUser, webhook } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { recordChanges } from '../../db/changes.ts'
import { startRetention } from '../../db/retention.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
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
const nextStudy = (): string => `1.50.${(study += 1)}`
const upload = async (...studies: readonly string[]): Promise<void> => {
  for (const uid of studies) await store(server, admin, objectOf(uid, 1, 1))
}
const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
const setRow = (id: string, row: object) =>
  server.deps.db.updateTable('webhooks').set(row).where('id', '=', id).execute()

describe('webhooks of several servers', () => {
  it('send each message once, whoever looks at the same moment [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    const others = many(3, null).map(() => new WebhookSender(server.deps))
    const studies = many(6, null).map(nextStudy)
    for (const uid of studies) {
      await upload(uid)
      await Promise.all(others.map((sender) => sender.round()))
    }
    await statuses(admin, id, many(6, 'Delivered'))
    expect(receiver.received.map((message) => message.id)).toEqual(
      (await deliveriesOf(admin, id)).map((delivery) => delivery.id),
    )
  })

  it('are gone on with when a server died in the middle, under the same id [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    // What a server leaves behind that was killed after the receiver had its message.
    const begun = Promise.withResolvers<void>()
    receiver.answer((_response) => begun.resolve())
    await upload(nextStudy())
    await begun.promise
    const { sender } = await server.deps.db
      .selectFrom('webhooks')
      .select('sender')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(sender).not.toBeNull()
    const other = new WebhookSender(server.deps)
    await other.round()
    // While it may be alive, nobody else sends.
    expect(receiver.received).toHaveLength(1)
    receiver.answer(204)
    await setRow(id, { sender_until: new Date(0) })
    await other.round()
    await statuses(admin, id, ['Delivered'])
    const [first, second] = receiver.received
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
  })

  it('skip and repeat nothing when a server stops between two messages [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await setRow(id, { rest_until: new Date(Date.now() + 3_600_000) })
    const studies = many(5, null).map(nextStudy)
    await upload(...studies)
    const stopping = new WebhookSender(server.deps)
    receiver.answer((response) => {
      response.writeHead(204).end()
      if (receiver.received.length === 2) void stopping.close()
    })
    await setRow(id, { rest_until: null })
    await stopping.round()
    await hurry(server, id)
    await statuses(admin, id, many(5, 'Delivered'))
    expect(
      receiver.received.map(({ body }) => (JSON.parse(body) as { data: { studyUID: string } }).data.studyUID),
    ).toEqual(studies)
  })

  it('give their turn to the others after a while, however long their receivers take [P18, P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await setRow(id, { rest_until: new Date(Date.now() + 3_600_000) })
    await upload(...many(3, null).map(nextStudy))
    const sender = new WebhookSender(server.deps, { turnMs: 0 })
    // The server's own sender rests.
    const { look } = WebhookSender.prototype
    const spy = jest.spyOn(WebhookSender.prototype, 'look').mockImplementation(async function (this: WebhookSender) {
      if (this === sender) await look.call(this)
    })
    await setRow(id, { rest_until: null })
    await sender.round()
    expect(receiver.received).toHaveLength(1)
    spy.mockRestore()
  })

  it('are not held back by a clock that was set back [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    const far = new Date(Date.now() + 30 * 86_400_000)
    await setRow(id, { sender: 'a server of the future', sender_until: far, rest_until: far })
    await upload(nextStudy())
    await statuses(admin, id, ['Delivered'])
    receiver.answer(500)
    await upload(nextStudy())
    await until(async () => (await deliveriesOf(admin, id))[1]?.tries === 1)
    receiver.answer(204)
    await server.deps.db
      .updateTable('webhook_deliveries')
      .set({ next_try_date: far })
      .where('webhook_id', '=', id)
      .execute()
    await setRow(id, { rest_until: far })
    await statuses(admin, id, ['Delivered', 'Delivered'])
  })

  it('keep more than a page of changes in the feed, and deliver them all [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await admin.call(webhook.pause, { id })
    await server.deps.db.transaction().execute(async (trx) => {
      await recordChanges(
        trx,
        northClinic.id,
        many(130, null).map((_, at) => ({
          kind: 'SeriesDeleted' as const,
          studyUID: `1.51.${at}`,
          seriesUID: `1.51.${at}.1`,
          instances: 0,
        })),
      )
    })
    await admin.call(webhook.resume, { id })
    await receiver.count(130)
    await until(async () => (await deliveriesOf(admin, id)).every(({ status }) => status === 'Delivered'))
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(130)
  })
})

describe('a webhook that stopped', () => {
  it('sends nothing while it is paused, and afterwards what happened meanwhile [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    expect((await admin.call(webhook.pause, { id })).data).toMatchObject({ status: 'Paused', pausedReason: 'Person' })
    const uid = nextStudy()
    await upload(uid)
    await new WebhookSender(server.deps).round()
    expect(receiver.received).toHaveLength(0)
    await admin.call(webhook.resume, { id })
    await statuses(admin, id, ['Delivered'])
    expect(receiver.received[0]?.body).toContain(uid)
  })

  it('sends nothing after it was deleted, and leaves no delivery [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await upload(nextStudy())
    await statuses(admin, id, ['Delivered'])
    expect((await admin.call(webhook.remove, { id })).status).toBe(200)
    await upload(nextStudy())
    await new WebhookSender(server.deps).round()
    expect(receiver.received).toHaveLength(1)
    expect((await admin.call(webhook.get, { id })).status).toBe(404)
    const { rows } = await server.deps.db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', id)
      .execute()
      .then((all) => ({ rows: all }))
    expect(rows).toEqual([])
  })

  it('is suspended with its owner, and goes on when the right comes back [P49]', async () => {
    const root = await server.signIn('super_admin')
    const { id } = await makeWebhook(admin, receiver.url)
    const role = (to: 'admin' | 'staff') =>
      server.deps.db.updateTable('users').set({ role: to }).where('id', '=', admin.userId).execute()
    await role('staff')
    expect((await root.call(webhook.get, { id })).data.status).toBe('Suspended')
    await server.deps.db.transaction().execute(async (trx) => {
      await recordChanges(trx, northClinic.id, [
        { kind: 'SeriesDeleted', studyUID: '1.52', seriesUID: '1.52.2', instances: 0 },
      ])
    })
    await new WebhookSender(server.deps).round()
    expect(receiver.received).toHaveLength(0)
    await role('admin')
    server.deps.bus.publish({ kind: 'webhooksDue' })
    const [message] = await receiver.count(1)
    expect(message?.body).toContain('1.52.2')
    expect((await root.call(businessUser.get, { id: admin.userId })).status).toBe(200)
  })

  it('says that changes of its organization were missed when it stood still for longer than they are kept [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await admin.call(webhook.pause, { id })
    await store(server, await server.signIn('admin@south.example'), objectOf(nextStudy(), 1, 1))
    await upload(nextStudy())
    await server.deps.db
      .updateTable('changes')
      .set({ created_date: new Date(0) })
      .execute()
    const retention = startRetention(server.deps.db, server.deps.settings, () => undefined)
    await retention.round()
    await retention.close()
    await admin.call(webhook.resume, { id })
    await statuses(admin, id, ['Delivered'])
    expect(receiver.received[0]?.type).toBe('ChangesMissed')
    const uid = nextStudy()
    await upload(uid)
    await statuses(admin, id, ['Delivered', 'Delivered'])
    expect(receiver.received[1]?.body).toContain(uid)
  })
})

describe('a replay', () => {
  it('of one delivery sends the same message under the same id [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await upload(nextStudy(), nextStudy())
    const [delivery] = await statuses(admin, id, ['Delivered', 'Delivered'])
    const replayed = await admin.call(webhook.replay, { id: delivery?.id ?? '' })
    expect([replayed.status, replayed.data.status]).toEqual([200, 'Waiting'])
    await receiver.count(3)
    expect(receiver.received[2]?.body).toBe(receiver.received[0]?.body)
    expect(receiver.received[2]?.id).toBe(receiver.received[0]?.id)
    await statuses(admin, id, ['Delivered', 'Delivered'])
  })

  it('since a time sends all changes since then, also those from before the webhook [P49]', async () => {
    const since = new Date().toISOString()
    const [early, late] = [nextStudy(), nextStudy()]
    await upload(early)
    const { id } = await makeWebhook(admin, receiver.url)
    await upload(late)
    await statuses(admin, id, ['Delivered'])
    expect((await admin.call(webhook.replaySince, { id, since })).status).toBe(200)
    await receiver.count(3)
    await statuses(admin, id, ['Delivered', 'Delivered'])
    const told = receiver.received.slice(1).map(({ body }) => [body.includes(`${early}.1`), body.includes(`${late}.1`)])
    expect(told.toSorted()).toEqual([
      [false, true],
      [true, false],
    ])
    expect(receiver.received.filter((message) => message.id === receiver.received[0]?.id)).toHaveLength(2)
  })

  it('since a time that is not kept any more is refused, and one to come changes nothing [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await server.deps.db
      .insertInto('change_feeds')
      .values({
        organization_id: northClinic.id,
        last_number: 0,
        forgotten_number: 0,
        forgotten_date: new Date('2020'),
      })
      .onConflict((row) => row.column('organization_id').doUpdateSet({ forgotten_date: new Date('2020') }))
      .execute()
    const refused = await admin.call(webhook.replaySince, { id, since: '2001-01-01T00:00:00Z' })
    expect([refused.status, refused.code]).toEqual([410, 'CURSOR_GONE'])
    const ahead = new Date(Date.now() + 86_400_000).toISOString()
    expect((await admin.call(webhook.replaySince, { id, since: ahead })).status).toBe(200)
    await new WebhookSender(server.deps).round()
    expect(receiver.received).toHaveLength(0)
  })

  it('has a test beside it, which needs no change [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    expect((await admin.call(webhook.sendTest, { id })).data).toMatchObject({ type: 'WebhookTest', status: 'Waiting' })
    await statuses(admin, id, ['Delivered'])
    expect(receiver.received[0]?.type).toBe('WebhookTest')
  })
})

describe('old deliveries', () => {
  it('are removed after 30 days [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await admin.call(webhook.sendTest, { id })
    await admin.call(webhook.sendTest, { id })
    const [old] = await statuses(admin, id, ['Delivered', 'Delivered'])
    await server.deps.db
      .updateTable('webhook_deliveries')
      .set({ created_date: new Date(Date.now() - 31 * 86_400_000) })
      .where('id', '=', old?.id ?? '')
      .execute()
    const retention = startRetention(server.deps.db, server.deps.settings, () => undefined)
    await retention.round()
    await retention.close()
    expect((await deliveriesOf(admin, id)).map((delivery) => delivery.id)).not.toContain(old?.id)
  })
})
