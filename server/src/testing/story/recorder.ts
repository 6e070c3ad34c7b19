import { setTimeout as pause } from 'node:timers/promises'
import { account, permits, type Endpoint, type Input, type Policy } from '@dmp/contract'
import { sql } from 'kysely'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { signAccessToken } from '../../identity/accessToken.ts'
import type { Receiver } from '../../modules/webhook/webhookInTests.ts'
import { toRequest } from '../request.ts'
import type { Data, Reply, SignedIn, TestServer } from '../server.ts'
import { storyStart, type StoryClock } from './clock.ts'
import { showAnswer, showRequest } from './exchange.ts'
import { Names, showTime } from './names.ts'
import { diffRows, nameRows, openRows, type Rows, type RowsReader } from './rows.ts'
import type { How, Person, Story } from './story.ts'
import { isAtWork, watchQueries, watchThreads, type QueryWatch } from './underWay.ts'
import { Witness } from './witness.ts'

const minuteMs = 60_000
const lookMs = 20
const mostLooks = 3000

const demo = {
  root: 'super@dmp.example',
  system: 'sys@dmp.example',
  admin: 'admin@north.example',
  staff: 'staff@north.example',
  service: 'service@north.example',
  south: 'admin@south.example',
} as const
const listeners = ['root', 'admin', 'staff', 'south']
const units = [
  ['days', 1440],
  ['hours', 60],
] as const

/** Plays a story, and writes down each step with what it causes. */
export class Recorder implements Story {
  readonly people = {} as Record<string, Person> & Story['people']
  readonly server: TestServer
  readonly receiver: Receiver
  readonly #clock: StoryClock
  readonly #names = new Names()
  readonly #witness: Witness
  readonly #text: string[] = []
  readonly #known = new Set<string>()
  #look!: RowsReader
  #queries!: QueryWatch
  #isReading!: () => boolean
  #url = ''
  #minute = 0
  #rows: Rows = new Map()
  #said: (() => string[])[] | undefined

  constructor(server: TestServer, receiver: Receiver, clock: StoryClock) {
    this.server = server
    this.receiver = receiver
    this.#clock = clock
    this.#witness = new Witness(server, receiver, this.#names)
  }

  async begin(): Promise<void> {
    const { server } = this
    this.#url = await server.listen()
    // The embedded database has this process's clock.
    await sql`set timezone to 'UTC'`.execute(server.deps.db)
    this.#queries = watchQueries(server.deps.database.embedded)
    this.#isReading = watchThreads(server.deps)
    this.#look = await openRows(server)
    for (const [name, email] of Object.entries(demo)) await this.enter(name, email)
    for (const name of listeners) await this.#hear(name)
    this.#watchRequests()
    // What is old by now goes before the story begins.
    this.#clock.fire()
    await this.#settle()
    this.#rows = await this.#look.read()
    nameRows(this.#names, undefined, this.#rows)
    this.#witness.forget()
  }

  enter = async (name: string, email: string, password?: string): Promise<Person> => {
    const { tokens, userId, headers } = await this.server.signIn(email, password)
    const { data } = await this.server.call(account.profile, {}, { headers })
    const person = this.people[name] ?? ({ email, name, headers: {} } as Person)
    const call = ((each: Endpoint, input: Record<string, unknown>, more: InjectOptions = {}) =>
      this.server.call(each, input, { ...more, headers: { ...person.headers, ...more.headers } })) as SignedIn['call']
    const { policy } = data as unknown as { policy: Policy }
    Object.assign(person.headers, headers)
    return (this.people[name] = Object.assign(person, { tokens, userId, call, policy, renewedAt: this.#clock.now() }))
  }

  /** Access tokens last for some minutes. */
  async #renewAccess(): Promise<void> {
    for (const person of Object.values(this.people)) {
      if (this.#clock.now() - person.renewedAt < 10 * minuteMs) continue
      const { sid: sessionId, scope } = claimsOf(person.tokens.accessToken ?? '')
      const session = { userId: person.userId, sessionId, scope }
      const { token } = await signAccessToken(this.server.deps.keys, session, 15)
      person.headers.authorization = `Bearer ${token}`
      person.renewedAt = this.#clock.now()
    }
  }

  async #hear(name: string): Promise<void> {
    const accessToken = this.people[name]?.headers.authorization.replace('Bearer ', '') ?? ''
    const { clientId } = this.server.deps.settings
    await this.#witness.hear(name, this.#url, { sessionId: claimsOf(accessToken).sid, clientId, accessToken })
  }

  #watchRequests(): void {
    const { app } = this.server
    const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<Response>
    app.inject = (async (options: InjectOptions) => {
      const who = this.#nameOf(options)
      const { apply } = this.#names
      let showReply = (): string[] => []
      // In the order in which requests begin; and written once new rows have names.
      this.#said?.push(() => [...showRequest(who, options, apply), ...showReply()])
      const reply = await inject(options)
      showReply = () => showAnswer(reply, apply).map((line) => `  ${line}`)
      return reply
    }) as typeof app.inject
  }

  #nameOf({ headers }: InjectOptions): string {
    const { authorization, cookie } = (headers ?? {}) as Record<string, string | undefined>
    const person = Object.values(this.people).find(({ headers: its }) => its.authorization === authorization)
    return person?.name ?? (authorization !== undefined ? 'a machine' : cookie !== undefined ? 'a browser' : 'nobody')
  }

  does = async <E extends Endpoint>(
    who: Person | undefined,
    call: E,
    input: Input<E> | Record<string, unknown>,
    { title = call.definition.summary, isOpen = false, ...more }: How = {},
  ): Promise<Reply<Data<E>>> => {
    const isFirst = !this.#known.has(call.name)
    this.#known.add(call.name)
    if (isFirst) await this.#refuse(call, input, title, isOpen)
    const by = who?.call ?? this.server.call
    return this.step(title, () => by(call, input, more))
  }

  async #refuse(call: Endpoint, input: Record<string, unknown>, title: string, isOpen: boolean): Promise<void> {
    const { needs, method } = call.definition
    if (needs === 'nothing') {
      if (method !== 'GET') await this.step(`${title} Refused where nothing is said.`, () => this.server.call(call, {}))
      return
    }
    const south = this.people['south']!
    const mayNot = Object.values(this.people).findLast(({ policy }) => !permits(policy, needs))
    const outsider = permits(south.policy, needs) && !namesThing(input) ? mayNot : south
    if (method === 'GET' && !namesThing(input)) return
    await this.step(`${title} Refused to others.`, async () => {
      await this.server.app.inject(toRequest(call, input))
      if (outsider && !isOpen) await outsider.call(call, input)
    })
  }

  asks = (title: string, who: Person | undefined, request: InjectOptions): Promise<Response> =>
    this.step(title, () => this.server.app.inject({ ...request, headers: { ...who?.headers, ...request.headers } }))

  step = async <T>(title: string, act: () => Promise<T>): Promise<T> => {
    this.#minute += 1
    await this.#setClock()
    this.#said = []
    let failure: unknown
    const result = await act().catch((error: unknown) => {
      failure = error
      this.#said?.push(() => [`it fails: ${String(error)}`])
      return undefined
    })
    await this.#settle()
    const said = this.#said
    this.#said = undefined
    await this.#write(title, said)
    if (failure !== undefined) throw failure
    return result as T
  }

  later = async (minutes: number): Promise<void> => {
    this.#minute += minutes
    await this.#setClock()
    this.#said = []
    this.#clock.fire()
    for (const kind of ['audit-check', 'export', 'transfer', 'mail']) this.server.deps.jobs.wake(kind as 'mail')
    await this.#settle()
    const said = this.#said
    this.#said = undefined
    const [unit, size] = units.find(([, each]) => minutes % each === 0) ?? ['minutes', 1]
    await this.#write(`${minutes / size} ${unit} later`, said)
    for (const [name, person] of Object.entries(this.people)) {
      const { raw } = await person.call(account.profile, {})
      if (raw.statusCode === 401) await this.enter(name, person.email).catch(() => undefined)
    }
    for (const name of listeners) if (!this.#witness.hears(name)) await this.#hear(name).catch(() => undefined)
    await this.#settle()
    this.#rows = await this.#look.read()
    nameRows(this.#names, undefined, this.#rows)
    this.#witness.forget()
  }

  async #setClock(): Promise<void> {
    // What is remembered for some minutes must not end just as a step begins.
    const seconds = 5 + ((this.#minute * 7) % 40)
    this.#clock.set(storyStart + this.#minute * minuteMs + seconds * 1000)
    await this.#renewAccess()
  }

  /** Until nothing is about to happen, and every page has heard what was said to it. */
  async #settle(): Promise<void> {
    do await this.#rest()
    while (this.#clock.endPauses())
    await this.#witness.hearAll()
  }

  /** Until there is no job, no timer, no work of the machine, and for two looks no statement and no line of a log. */
  async #rest(): Promise<void> {
    let previous = ''
    let alike = 0
    for (let tries = 0; tries < mostLooks; tries += 1) {
      await pause(lookMs)
      const isBusy = this.#queries.isAsking() || this.#clock.isBusy() || this.#isReading() || isAtWork()
      const { sign } = this.#witness
      alike = !isBusy && sign === previous ? alike + 1 : 0
      previous = sign
      if (alike === 1 && (await this.#look.countJobs()) > 0) alike = 0
      this.#queries.forget()
      if (alike === 3) return
    }
    throw new Error('Something goes on and on.')
  }

  async #write(title: string, said: readonly (() => string[])[]): Promise<void> {
    const after = await this.#look.read()
    nameRows(this.#names, this.#rows, after)
    const exchanges = said.flatMap((show) => show())
    const caused = [...diffRows(this.#names, this.#rows, after), ...this.#witness.take()]
    this.#rows = after
    const time = showTime(storyStart + this.#minute * minuteMs).slice(1, -1)
    const lines = [`## ${time} · ${title}`, ...exchanges, ...(caused.length > 0 ? caused : ['nothing changes'])]
    this.#text.push(this.#names.apply(lines.join('\n')).replaceAll(this.server.deps.settings.dataDir, '<data folder>'))
  }

  end(): string {
    this.#witness.close()
    return `${this.#text.join('\n\n')}\n`
  }
}

const claimsOf = (token: string): { sid: string; scope: 'all' } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string; scope: 'all' }

/** Whether something of somebody is meant: by its id or UID. */
const namesThing = (input: unknown): boolean =>
  typeof input === 'string'
    ? /^[0-9a-f]{8}-[0-9a-f]{4}-|^\d+(?:\.\d+){2,}$/.test(input)
    : typeof input === 'object' && input !== null && Object.values(input).some(namesThing)
