import { webhook } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { recordChanges } from '../../db/changes.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { objectOf, store } from '../changes/changesInTests.ts'
import { planDeliveries } from './planDeliveries.ts'
import {
  deliveriesOf,
  endRest,
  hurry,
  makeWebhook,
  startReceiver,
  statuses,
  until,
  type Receiver,
} from './webhookInTests.ts'

let server: TestServer
let admin: SignedIn
let receiver: Receiver
beforeAll(async () => {
  server = await startServer({ DMP_WEBHOOK_HOSTS: '127.0.0.1' })
  admin = await server.signIn('admin')
  receiver = await startReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

let study = 0
const nextStudy = (): string => `1.50.${(study += 1)}`
const upload = (uid: string) => store(server, admin, objectOf(uid, 1, 1))

/** So many series are gone. */
const change = (count: number, study: string): Promise<void> =>
  server.deps.db.transaction().execute(async (trx) => {
    const changes = Array.from({ length: count }, (_, at) => ({
      kind: 'SeriesDeleted' as const,
      studyUID: `${study}.${at}`,
      seriesUID: `${study}.${at}.1`,
      instances: 0,
    }))
    await recordChanges(trx, northClinic.id, changes)
  })

describe('a webhook whose receiver fails', () => {
  it('tries anew for three days what is replayed since a time, however long ago it was first tried [P49]', async () => {
    const since = new Date().toISOString()
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer(204)
    await upload(nextStudy())
    await statuses(admin, id, ['Delivered'])
    await server.deps.db
      .updateTable('webhook_deliveries')
      .set({ first_try_date: new Date(Date.now() - 4 * 86_400_000) })
      .where('webhook_id', '=', id)
      .execute()
    receiver.answer(500)
    expect((await admin.call(webhook.replaySince, { id, since })).status).toBe(200)
    await until(async () => (await deliveriesOf(admin, id))[0]?.answerStatus === 500)
    await statuses(admin, id, ['Waiting'])
  })

  it('tries anew for three days what waited while it was paused, however long ago it was first tried [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer(500)
    await upload(nextStudy())
    await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 1)
    await admin.call(webhook.pause, { id })
    await server.deps.db
      .updateTable('webhook_deliveries')
      .set({ first_try_date: new Date(Date.now() - 4 * 86_400_000) })
      .where('webhook_id', '=', id)
      .execute()
    expect((await admin.call(webhook.resume, { id })).status).toBe(200)
    await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 2)
    await statuses(admin, id, ['Waiting'])
  })

  it('says of several messages that failed what was answered last [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    const [earlier, later] = [nextStudy(), nextStudy()]
    receiver.answer((response, { body }) => void response.writeHead(body.includes(earlier) ? 500 : 302).end())
    await upload(earlier)
    await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 1)
    await upload(later)
    await endRest(server, id)
    await until(async () => (await deliveriesOf(admin, id))[1]?.tries === 1)
    await server.deps.db.updateTable('webhooks').set({ paused_date: new Date() }).where('id', '=', id).execute()
    const tried = (await deliveriesOf(admin, id)).toSorted((a, b) => `${a.triedDate}`.localeCompare(`${b.triedDate}`))
    const { lastProblem, lastAnswerStatus } = (await admin.call(webhook.get, { id })).data
    expect([lastProblem, lastAnswerStatus]).toEqual([tried.at(-1)?.problem, tried.at(-1)?.answerStatus])
    expect(new Set(tried.map(({ answerStatus }) => answerStatus)).size).toBe(2)
  })

  it('has a hundred messages waiting at most, however often a server looks: the others wait as changes [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await admin.call(webhook.pause, { id })
    const { db } = server.deps
    const before = await db.selectFrom('webhooks').select('cursor').where('id', '=', id).executeTakeFirstOrThrow()
    const removed = Array.from({ length: 130 }, (_, at) => `1.51.${at}`).map((uid) => ({
      kind: 'SeriesDeleted' as const,
      studyUID: uid,
      seriesUID: `${uid}.1`,
      instances: 0,
    }))
    await db.transaction().execute((trx) => recordChanges(trx, northClinic.id, removed))
    await db.updateTable('webhooks').set({ sender: 'this one' }).where('id', '=', id).execute()
    const plan = (sender: string) => planDeliveries(db, id, sender, 'https://dmp.example')
    // Who lost its turn to another server plans nothing.
    expect([await plan('another'), await plan('this one'), await plan('this one')]).toEqual([false, true, false])
    const waiting = await db.selectFrom('webhook_deliveries').select('number').where('webhook_id', '=', id).execute()
    expect(waiting).toHaveLength(100)
    await db.updateTable('webhook_deliveries').set({ status: 'Delivered' }).where('webhook_id', '=', id).execute()
    expect(await plan('this one')).toBe(false)
    const all = await db.selectFrom('webhook_deliveries').select('number').where('webhook_id', '=', id).execute()
    expect([all.length, Math.min(...all.map(({ number }) => Number(number)))]).toEqual([130, Number(before.cursor) + 1])
    await admin.call(webhook.remove, { id })
  })

  it('forgets earlier failures as soon as something is accepted: the next rest is a short one again [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer(500)
    await upload(nextStudy())
    for (let tries = 1; tries <= 4; tries += 1) {
      await until(async () => (await deliveriesOf(admin, id))[0]?.tries === tries)
      if (tries === 4) receiver.answer(204)
      await hurry(server, id)
    }
    await statuses(admin, id, ['Delivered'])
    receiver.answer(500)
    await upload(nextStudy())
    await until(async () => (await deliveriesOf(admin, id))[1]?.tries === 1)
    const { nextTryDate } = (await admin.call(webhook.get, { id })).data
    const triedDate = (await deliveriesOf(admin, id))[1]?.triedDate
    // Some five seconds; after a fourth failure in a row it is more than half a minute.
    expect(Date.parse(nextTryDate ?? '') - Date.parse(triedDate ?? '')).toBeLessThan(30_000)
  })

  it('keeps a hundred messages at most for a receiver that takes none, and all else in the feed [P18, P49]', async () => {
    // Webhooks of other tests go to the other one.
    const own = await startReceiver()
    own.answer(500)
    const { id } = await makeWebhook(admin, own.url)
    await change(250, '1.52')
    const countWaiting = async (): Promise<number> =>
      (
        await server.deps.db
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '=', id)
          .where('status', '=', 'Waiting')
          .execute()
      ).length
    for (const tries of [1, 2, 3]) {
      await hurry(server, id)
      await own.count(tries)
    }
    expect(await countWaiting()).toBe(100)
    own.answer(204)
    await hurry(server, id)
    await until(() => new Set(own.received.map((message) => message.id)).size === 250)
    await admin.call(webhook.remove, { id })
    await own.close()
  })
})

it.each([
  [299, 'Delivered', null],
  [300, 'Waiting', 'Redirected'],
  [399, 'Waiting', 'Redirected'],
  [400, 'Waiting', 'BadStatus'],
])('a message that is answered with %i is %s: %s [P49]', async (answered, status, problem) => {
  const { id } = await makeWebhook(admin, receiver.url)
  receiver.answer(answered)
  await upload(nextStudy())
  await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 1)
  expect((await deliveriesOf(admin, id))[0]).toMatchObject({ status, problem, answerStatus: answered })
})
