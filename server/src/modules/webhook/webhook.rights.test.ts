import { audit, webhook, type Endpoint } from '@dmp/contract'
import { limits } from '@dmp/contract'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { makeApiToken } from '../apiToken/apiTokenInTests.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { makeWebhook, startReceiver, statuses, type Receiver } from './webhookInTests.ts'

let server: TestServer
let receiver: Receiver
let [admin, south, root, staff]: SignedIn[] = []
beforeAll(async () => {
  server = await startServer({ DMP_WEBHOOK_HOSTS: '127.0.0.1' })
  receiver = await startReceiver()
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  root = await server.signIn('super_admin')
  staff = await server.signIn('staff')
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})

const person = (who: SignedIn | undefined): SignedIn => {
  if (!who) throw new Error('Nobody is signed in.')
  return who
}
const draft = (more: object = {}) => ({
  name: 'Another name',
  url: 'https://receiver.example/hook',
  kinds: ['SeriesQuiet'],
  password: demoPassword,
  ...more,
})
const someId = '00000000-0000-4000-8000-00000000abcd'
const since = new Date().toISOString()

/** Each call about one webhook or one of its deliveries, with everything else that it needs. */
const calls: readonly (readonly [name: string, call: Endpoint, input: (id: string, delivery: string) => object])[] = [
  ['get', webhook.get, (id) => ({ id })],
  ['update', webhook.update, (id) => ({ id, ...draft() })],
  ['pause', webhook.pause, (id) => ({ id })],
  ['resume', webhook.resume, (id) => ({ id })],
  ['renewSecret', webhook.renewSecret, (id) => ({ id, password: demoPassword })],
  ['remove', webhook.remove, (id) => ({ id })],
  ['listDeliveries', webhook.listDeliveries, (id) => ({ webhookId: id })],
  ['getDelivery', webhook.getDelivery, (_id, delivery) => ({ id: delivery })],
  ['sendTest', webhook.sendTest, (id) => ({ id })],
  ['replay', webhook.replay, (_id, delivery) => ({ id: delivery })],
  ['replaySince', webhook.replaySince, (id) => ({ id, since })],
]

async function makeDelivered(who: SignedIn): Promise<{ id: string; delivery: string }> {
  const { id } = await makeWebhook(who, receiver.url)
  await who.call(webhook.sendTest, { id })
  const [delivery] = await statuses(who, id, ['Delivered'])
  return { id, delivery: delivery?.id ?? '' }
}

describe('a webhook of another organization', () => {
  let own: { id: string; delivery: string }
  beforeAll(async () => {
    own = await makeDelivered(person(admin))
  })

  it.each(calls)('is not there for %s, as if it had never been [P02, P49]', async (_name, call, input) => {
    const foreign = await person(south).call(call, input(own.id, own.delivery))
    const missing = await person(south).call(call, input(someId, someId))
    expect([foreign.status, foreign.code, foreign.message]).toEqual([404, missing.code, missing.message])
    expect(missing.status).toBe(404)
  })

  it('is in no list of another one, and in that of the provider [P02, P49]', async () => {
    expect((await person(south).call(webhook.list, {})).data.map(({ id }) => id)).not.toContain(own.id)
    expect((await person(root).call(webhook.list, {})).data.map(({ id }) => id)).toContain(own.id)
  })

  it.each(calls.filter(([name]) => ['update', 'renewSecret', 'sendTest', 'replay', 'replaySince'].includes(name)))(
    'is seen by the provider, who may not %s [P49]',
    async (_name, call, input) => {
      const reply = await person(root).call(call, input(own.id, own.delivery))
      expect([reply.status, reply.code]).toEqual([403, 'NOT_ALLOWED'])
    },
  )

  it('can be stopped by the provider, and only its own people go on [P49]', async () => {
    expect((await person(root).call(webhook.pause, { id: own.id })).status).toBe(200)
    expect((await person(root).call(webhook.resume, { id: own.id })).status).toBe(403)
    expect((await person(admin).call(webhook.resume, { id: own.id })).status).toBe(200)
  })

  it.each([...calls, ['add', webhook.add, () => draft()] as const, ['list', webhook.list, () => ({})] as const])(
    'and one of the own are closed to people without the right: %s [6.02, P49]',
    async (_name, call, input) => {
      const reply = await person(staff).call(call, input(own.id, own.delivery))
      expect([reply.status, reply.code]).toEqual([403, 'NOT_ALLOWED'])
    },
  )

  it.each([...calls, ['add', webhook.add, () => draft()] as const, ['list', webhook.list, () => ({})] as const])(
    'and one of the own are closed to API tokens: %s [P35, P49]',
    async (_name, call, input) => {
      const { token } = await makeApiToken(person(admin))
      const headers = { authorization: `Bearer ${token}` }
      expect((await server.call(call, input(own.id, own.delivery), { headers })).status).toBe(403)
    },
  )
})

describe('making a webhook', () => {
  it.each([
    ['without a password', { password: undefined }, 'password'],
    ['with a wrong password', { password: 'Something wrong 1!' }, 'password'],
    ['without a name', { name: '' }, 'name'],
    ['with a name of several lines', { name: 'a\nb' }, 'name'],
    ['without kinds', { kinds: [] }, 'kinds'],
    ['with a kind twice', { kinds: ['SeriesQuiet', 'SeriesQuiet'] }, 'kinds'],
    ['with an unknown kind', { kinds: ['SeriesEaten'] }, 'kinds.0'],
    ['without an address', { url: '' }, 'url'],
    ['with an address that is none', { url: 'receiver' }, 'url'],
    ['with a script for an address', { url: 'javascript:alert(1)' }, 'url'],
    ['with an address that nothing can read', { url: 'https://a b/' }, 'url'],
    ['with an address whose port is none', { url: 'https://receiver.example:99999/' }, 'url'],
    ['by http', { url: 'http://receiver.example/' }, 'url'],
    ['with a password in the address', { url: 'https://a:b@receiver.example/' }, 'url'],
    ['at a port of something else', { url: 'https://receiver.example:5432/' }, 'url'],
    ['in the own network', { url: 'https://10.0.0.1/' }, 'url'],
    ['at the metadata of a cloud', { url: 'https://169.254.169.254/latest' }, 'url'],
    ['on the own machine', { url: 'https://[::1]/' }, 'url'],
    ['for another organization', { organizationId: someId }, 'organizationId'],
  ])('is refused %s, at its field [P03, P49]', async (_what, more, path) => {
    const reply = await person(admin).call(webhook.add, draft(more))
    expect(reply.status).toBe(400)
    expect(reply.fields?.map((field) => field.path)).toContain(path)
  })

  it('shows the secret once, and keeps what makes it nowhere in the clear [P49]', async () => {
    const { id, secret } = await makeWebhook(person(south), receiver.url)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const later = [
      await person(south).call(webhook.get, { id }),
      await person(south).call(webhook.list, {}),
      await person(south).call(audit.list, { page: 1, pageSize: 50 }),
    ]
    const rows = await server.deps.db.selectFrom('webhooks').selectAll().execute()
    const kept = JSON.stringify([later.map(({ raw }) => raw.body), rows])
    expect(kept).not.toContain(secret.slice('whsec_'.length, -1))
    await person(south).call(webhook.remove, { id })
  })

  it('takes a name once in an organization, whatever others call theirs [P49]', async () => {
    const ofNorth = await makeWebhook(person(admin), receiver.url, { name: 'Twice' })
    const { id } = await makeWebhook(person(south), receiver.url, { name: 'Twice' })
    const again = await person(south).call(webhook.add, draft({ name: 'tWICE' }))
    expect([again.status, again.code, again.fields?.[0]?.path]).toEqual([409, 'NAME_TAKEN', 'name'])
    const other = await makeWebhook(person(south), receiver.url)
    const renamed = await person(south).call(webhook.update, { id: other.id, ...draft({ name: 'Twice' }) })
    expect(renamed.code).toBe('NAME_TAKEN')
    expect((await person(south).call(webhook.update, { id, ...draft({ name: 'Twice' }) })).status).toBe(200)
    for (const one of [id, other.id]) await person(south).call(webhook.remove, { id: one })
    await person(admin).call(webhook.remove, { id: ofNorth.id })
  })

  it('stops at the most that an organization may have, also at the same moment [P18, P49]', async () => {
    const ofNorth = await makeWebhook(person(admin), receiver.url)
    const add = (at: number) => person(south).call(webhook.add, draft({ name: `Number ${at}` }))
    for (let at = 1; at < limits.webhooksPerOrganization; at += 1) expect((await add(at)).status).toBe(200)
    const replies = await Promise.all([add(100), add(101), add(102)])
    expect(replies.map(({ code }) => code ?? 'made').toSorted()).toEqual(['TOO_MANY', 'TOO_MANY', 'made'])
    for (const { id } of (await person(south).call(webhook.list, {})).data)
      await person(south).call(webhook.remove, { id })
    await person(admin).call(webhook.remove, { id: ofNorth.id })
  })
})

describe('a receiver that never answers', () => {
  it('keeps nobody waiting in another organization [P18, P49]', async () => {
    const hanging = await startReceiver()
    hanging.answer(() => undefined)
    const stuck = await Promise.all([1, 2, 3].map(() => makeWebhook(person(admin), hanging.url)))
    for (const { id } of stuck) await person(admin).call(webhook.sendTest, { id })
    await hanging.count(2)
    const { id } = await makeWebhook(person(south), receiver.url)
    await person(south).call(webhook.sendTest, { id })
    await statuses(person(south), id, ['Delivered'])
    for (const one of stuck) await person(admin).call(webhook.remove, { id: one.id })
    await hanging.close()
    await person(south).call(webhook.remove, { id })
  })
})

describe('what is done with a webhook', () => {
  it('is in the audit trail, by name and host, without path and secret [P24, P49]', async () => {
    const who = person(admin)
    const { id } = await makeWebhook(who, receiver.url, { name: 'In the trail' })
    await who.call(webhook.update, {
      id,
      ...draft({ name: 'In the trail', url: 'https://receiver.example/s3cret-path' }),
    })
    await who.call(webhook.renewSecret, { id, password: demoPassword })
    await who.call(webhook.pause, { id })
    await who.call(webhook.resume, { id })
    await who.call(webhook.replaySince, { id, since: new Date().toISOString() })
    await who.call(webhook.remove, { id })
    const rows = await server.deps.db
      .selectFrom('audit')
      .select(['event', 'subject'])
      .where('event', 'like', 'Webhook%')
      .orderBy('position')
      .execute()
    const own = rows.filter(({ subject }) => JSON.stringify(subject).includes(id))
    expect(own.map(({ event }) => event)).toEqual([
      'WebhookAdded',
      'WebhookChanged',
      'WebhookSecretRenewed',
      'WebhookPaused',
      'WebhookResumed',
      'WebhookReplayed',
      'WebhookDeleted',
    ])
    expect(JSON.stringify(own)).not.toContain('s3cret-path')
  })

  it('makes whoever changes it its owner [P49]', async () => {
    const who = person(root)
    const { id } = await makeWebhook(who, receiver.url)
    await server.deps.db
      .updateTable('webhooks')
      .set({ owner_id: person(admin).userId })
      .where('id', '=', id)
      .execute()
    expect((await who.call(webhook.get, { id })).data.status).toBe('Suspended')
    expect((await who.call(webhook.update, { id, ...draft() })).data.status).toBe('Active')
    await who.call(webhook.remove, { id })
  })

  it.each([
    ['pausing what is paused', webhook.pause, 'UNCHANGED'],
    ['a test of what is paused', webhook.sendTest, 'NOT_ACTIVE'],
  ])('is refused for %s [P49]', async (_what, call, code) => {
    const { id } = await makeWebhook(person(admin), receiver.url)
    expect((await person(admin).call(webhook.resume, { id })).code).toBe('UNCHANGED')
    await person(admin).call(webhook.pause, { id })
    const reply = await person(admin).call(call, { id })
    expect([reply.status, reply.code]).toEqual([409, code])
    await person(admin).call(webhook.remove, { id })
  })
})
