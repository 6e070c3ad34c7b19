import { scan, webhook } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { objectOf, store } from '../changes/changesInTests.ts'
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
const nextStudy = (): string => `1.49.${(study += 1)}`
const upload = async (...studies: readonly string[]): Promise<void> => {
  for (const uid of studies) await store(server, admin, objectOf(uid, 1, 1))
}

const threeDaysAgo = (): Date => new Date(Date.now() - 72 * 3_600_000 - 1000)
/** As if its messages had been tried for three days. */
const setBack = (id: string) =>
  server.deps.db
    .updateTable('webhook_deliveries')
    .set({ first_try_date: threeDaysAgo() })
    .where('webhook_id', '=', id)
    .execute()

describe('a webhook', () => {
  it('delivers a change, signed so that the package of Standard Webhooks verifies it [P49]', async () => {
    const { secret, id } = await makeWebhook(admin, receiver.url)
    const uid = nextStudy()
    await upload(uid)
    const [message] = await receiver.count(1)
    const verified = new StandardWebhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>)
    expect(verified).toEqual({
      type: 'SeriesCreated',
      timestamp: expect.stringMatching(/^20.*Z$/),
      data: {
        cursor: expect.stringMatching(/^\d+$/),
        studyUID: uid,
        seriesUID: `${uid}.1`,
        instances: 1,
        modality: 'CT',
        source: 'Upload',
        series: expect.stringMatching(`^http://.*/dicom-web/studies/${uid}/series/${uid}.1$`),
      },
    })
    const other = new StandardWebhook(`whsec_${Buffer.alloc(32).toString('base64')}`)
    expect(() => other.verify(message?.body ?? '', message?.headers as Record<string, string>)).toThrow('signature')
    const [delivery] = await statuses(admin, id, ['Delivered'])
    expect(delivery).toMatchObject({
      id: message?.id,
      type: 'SeriesCreated',
      tries: 1,
      answerStatus: 204,
      problem: null,
    })
  })

  it('says nothing of a patient [P23, P49]', async () => {
    await makeWebhook(admin, receiver.url)
    await upload(nextStudy())
    const [message] = await receiver.count(1)
    const { rows } = await server.deps.db
      .selectFrom('series')
      .select(['patient_name', 'patient_id'])
      .distinct()
      .execute()
      .then((all) => ({ rows: all }))
    for (const row of rows)
      for (const word of Object.values(row)) if (word) expect(message?.body).not.toContain(String(word))
  })

  it('delivers the kinds that were chosen, in order, each once [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    const studies = Array.from({ length: 8 }, nextStudy)
    await upload(...studies)
    await admin.call(scan.remove, { organizationId: northClinic.id, seriesIdList: [`${studies[0]}.1`] })
    await receiver.count(9)
    await statuses(
      admin,
      id,
      Array.from({ length: 9 }, () => 'Delivered'),
    )
    expect(receiver.received.map(({ type }) => type)).toEqual([...studies.map(() => 'SeriesCreated'), 'SeriesDeleted'])
    expect(
      receiver.received.map(({ body }) => (JSON.parse(body) as { data: { studyUID: string } }).data.studyUID),
    ).toEqual([...studies, studies[0]])
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(9)
  })

  it('begins when it is made: nothing from before is told [P49]', async () => {
    await upload(nextStudy())
    const { id } = await makeWebhook(admin, receiver.url)
    const uid = nextStudy()
    await upload(uid)
    await statuses(admin, id, ['Delivered'])
    expect(receiver.received[0]?.body).toContain(uid)
  })

  it.each([
    ['says that it failed', 500, 'BadStatus'],
    ['says that it knows nothing', 404, 'BadStatus'],
    ['sends elsewhere', 302, 'Redirected'],
  ])('tries again under the same id when the receiver %s [P49]', async (_what, status, problem) => {
    const { id, secret } = await makeWebhook(admin, receiver.url)
    receiver.answer(status)
    await upload(nextStudy())
    await receiver.count(1)
    await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 1)
    const [waiting] = await deliveriesOf(admin, id)
    expect(waiting).toMatchObject({ status: 'Waiting', problem, answerStatus: status })
    const failing = (await admin.call(webhook.get, { id })).data
    expect([failing.status, failing.failingSince, failing.nextTryDate]).toEqual([
      'Active',
      expect.any(String),
      expect.any(String),
    ])
    expect([failing.lastProblem, failing.lastAnswerStatus]).toEqual([problem, status])
    receiver.answer(200)
    await hurry(server, id)
    const [delivered] = await statuses(admin, id, ['Delivered'])
    expect(delivered?.tries).toBe(2)
    const well = (await admin.call(webhook.get, { id })).data
    expect([well.failingSince, well.lastProblem, well.lastAnswerStatus]).toEqual([null, null, null])
    const [first, second] = receiver.received
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
    for (const message of receiver.received)
      new StandardWebhook(secret).verify(message.body, message.headers as Record<string, string>)
  })

  it('goes on with others behind a message that its receiver does not take [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    const [bad, good] = [nextStudy(), nextStudy()]
    receiver.answer((response, { body }) => void response.writeHead(body.includes(bad) ? 422 : 200).end())
    await upload(bad)
    await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 1)
    await upload(good)
    await endRest(server, id)
    await until(async () => (await deliveriesOf(admin, id))[1]?.status === 'Delivered')
    expect((await deliveriesOf(admin, id))[0]?.status).toBe('Waiting')
  })

  it('waits as long as its receiver asks for [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer((response) => void response.writeHead(503, { 'retry-after': '1800' }).end())
    await upload(nextStudy())
    await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 1)
    const [row] = await deliveriesOf(admin, id)
    const pauseMs = Date.parse(row?.nextTryDate ?? '') - Date.parse(row?.triedDate ?? '')
    expect(pauseMs).toBe(1_800_000)
  })

  it('is paused after three days without success, its owner told by mail, and resumed alone [P49]', async () => {
    const { id, name } = await makeWebhook(admin, receiver.url)
    const other = await makeWebhook(admin, receiver.url)
    receiver.answer(500)
    await upload(nextStudy())
    for (const one of [id, other.id]) await until(async () => (await deliveriesOf(admin, one))[0]?.tries === 1)
    await setBack(id)
    await server.deps.db.updateTable('webhooks').set({ failing_since: threeDaysAgo() }).where('id', '=', id).execute()
    await hurry(server, id)
    await until(async () => (await admin.call(webhook.get, { id })).data.status === 'Paused')
    const paused = (await admin.call(webhook.get, { id })).data
    expect([paused.pausedReason, paused.nextTryDate]).toEqual(['Failing', null])
    const [found] = await deliveriesOf(admin, id)
    expect([found?.status, found?.tries, found?.nextTryDate]).toEqual(['Waiting', 2, null])
    expect((await admin.call(webhook.getDelivery, { id: found?.id ?? '' })).data.nextTryDate).toBeNull()
    const mail = await server.mailTo('admin@north.example')
    expect(mail.text).toContain(`“${name}”`)
    expect(mail.text).toContain(`/account/webhooks/${id}`)
    const triesOfOther = () =>
      server.deps.db
        .selectFrom('webhook_deliveries')
        .select('next_try_date')
        .where('webhook_id', '=', other.id)
        .execute()
    await admin.call(webhook.pause, { id: other.id })
    const [waiting] = await triesOfOther()
    // What happens meanwhile waits.
    const uid = nextStudy()
    await upload(uid)
    receiver.answer(200)
    const resumed = await admin.call(webhook.resume, { id })
    expect([resumed.status, resumed.data.status, resumed.data.failingSince]).toEqual([200, 'Active', null])
    expect(
      (await triesOfOther()).filter((one) => Number(one.next_try_date) === Number(waiting?.next_try_date)),
    ).toHaveLength(1)
    await statuses(admin, id, ['Delivered', 'Delivered'])
    expect(receiver.received.at(-1)?.body).toContain(uid)
  })

  it('goes on when one message alone was refused for three days [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer(422)
    await upload(nextStudy())
    await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 1)
    await setBack(id)
    await hurry(server, id)
    await statuses(admin, id, ['Failed'])
    receiver.answer(200)
    await upload(nextStudy())
    await hurry(server, id)
    await statuses(admin, id, ['Failed', 'Delivered'])
    expect((await admin.call(webhook.get, { id })).data.status).toBe('Active')
  })

  it('is switched off by 410, at once [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer(410)
    await upload(nextStudy())
    await until(async () => (await admin.call(webhook.get, { id })).data.pausedReason === 'Gone')
    await upload(nextStudy())
    await hurry(server, id)
    expect(receiver.received).toHaveLength(1)
    await statuses(admin, id, ['Waiting'])
    receiver.answer(204)
    await admin.call(webhook.resume, { id })
    await statuses(admin, id, ['Delivered', 'Delivered'])
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  })

  it('goes on when its receiver switches protocols instead of answering [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer(({ socket }) => {
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    })
    await upload(nextStudy())
    await until(async () => (await deliveriesOf(admin, id))[0]?.tries === 1)
    expect((await deliveriesOf(admin, id))[0]).toMatchObject({ problem: 'BadStatus', answerStatus: 101 })
    receiver.answer(204)
    await hurry(server, id)
    await statuses(admin, id, ['Delivered'])
  })

  it('keeps the beginning of a long answer, without what cannot be shown [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    receiver.answer((response) => void response.writeHead(200).end(`a\0\u001b[31mb${'x'.repeat(100_000)}`))
    await upload(nextStudy())
    const [delivery] = await statuses(admin, id, ['Delivered'])
    const { data } = await admin.call(webhook.getDelivery, { id: delivery?.id ?? '' })
    expect(data.answer).toMatch(/^a\[31mbx+$/)
    expect(data.answer?.length).toBeLessThanOrEqual(4096)
    expect(data.payload).toBe(receiver.received[0]?.body)
  })

  it('signs with two secrets for a day after a new one was made, and then with the new one alone [P49]', async () => {
    const before = await makeWebhook(admin, receiver.url)
    const { data: after } = await admin.call(webhook.renewSecret, { id: before.id, password: demoPassword })
    expect(after.secret).not.toBe(before.secret)
    expect(Date.parse(after.previousSecretUntil ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    await upload(nextStudy())
    const [message] = await receiver.count(1)
    const headers = message?.headers as Record<string, string>
    for (const { secret } of [before, after]) new StandardWebhook(secret).verify(message?.body ?? '', headers)
    await server.deps.db
      .updateTable('webhooks')
      .set({ previous_until: new Date(0) })
      .where('id', '=', before.id)
      .execute()
    await upload(nextStudy())
    const [, second] = await receiver.count(2)
    const later = second?.headers as Record<string, string>
    new StandardWebhook(after.secret).verify(second?.body ?? '', later)
    expect(() => new StandardWebhook(before.secret).verify(second?.body ?? '', later)).toThrow('signature')
    expect((await admin.call(webhook.get, { id: before.id })).data.previousSecretUntil).toBeNull()
  })

  it('is paused when the server has another key, instead of signing what nobody can verify [P49]', async () => {
    const { id } = await makeWebhook(admin, receiver.url)
    await server.deps.db.updateTable('webhooks').set({ salt: 'of another server' }).where('id', '=', id).execute()
    await upload(nextStudy())
    await until(async () => (await admin.call(webhook.get, { id })).data.pausedReason === 'Secret')
    expect(receiver.received).toHaveLength(0)
    await admin.call(webhook.renewSecret, { id, password: demoPassword })
    await admin.call(webhook.resume, { id })
    await statuses(admin, id, ['Delivered'])
  })
})
