import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { callsAt, objectOf, type Answered, type OutsideCalls } from '../testing/callsFromOutside.ts'
import { startChild, type Child } from '../testing/childServer.ts'
import { startPostgresCluster, type PostgresCluster } from '../testing/postgresCluster.ts'

/** 8 s of waiting; the rest is for a busy machine. */
const longestMs = 20_000

const folder = mkdtempSync(join(tmpdir(), 'dmp-hanging-'))
let cluster: PostgresCluster
const children: Child[] = []

/** A server on the cluster, whose clock is wrong by so many minutes. */
async function start(clockMinutes: number, variables: Record<string, string> = {}): Promise<[OutsideCalls, Child]> {
  const clockFile = join(folder, `clock${clockMinutes}`)
  writeFileSync(clockFile, String(clockMinutes * 60_000))
  const child = startChild(
    {
      DMP_DEMO: '1',
      DMP_DATA_DIR: join(folder, 'data'),
      DATABASE_URL: cluster.url,
      DMP_LIMIT_FACTOR: '1000',
      DMP_DISK_NOTICE_MB: '0',
      ...variables,
    },
    'main.ts',
    [],
    ['--import', new URL(`../testing/setClock.mjs?file=${clockFile}`, import.meta.url).href],
  )
  children.push(child)
  return [callsAt((await child.ready).replace('localhost', '127.0.0.1')), child]
}

beforeAll(async () => {
  cluster = await startPostgresCluster()
})
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('servers whose clocks differ', () => {
  it('accept the tokens of each other, and say which clock is wrong [P21]', async () => {
    const [right] = await start(0)
    const [behind] = await start(-20)
    const [ahead] = await start(35)
    for (const from of [right, behind, ahead]) {
      const headers = await from.signIn()
      for (const at of [right, behind, ahead])
        expect((await at.ask('GET', '/api/account/profile', headers)).status).toBe(200)
    }
    const readiness = async (calls: OutsideCalls): Promise<string> => (await calls.ask('GET', '/readyz')).text
    expect(await readiness(right)).not.toContain('clock')
    expect(await readiness(behind)).toContain('The clock of this server is 20 minutes behind that of the database.')
    expect(await readiness(ahead)).toContain('The clock of this server is 35 minutes ahead of that of the database.')
    for (const child of children.splice(0)) {
      child.process.kill('SIGKILL')
      await child.ended
    }
  })
})

describe('a database that hangs', () => {
  it('is answered with 503 within 10 s by every door, and everything goes on when it does [P21]', async () => {
    const [calls, child] = await start(0)
    const url = (await child.ready).replace('localhost', '127.0.0.1')
    const headers = await calls.signIn()
    expect((await calls.stow(headers, [objectOf('1.95', 1)])).status).toBe(200)
    const organizationId = (
      JSON.parse((await calls.ask('GET', '/api/account/profile', headers)).text) as { data: { organizationId: string } }
    ).data.organizationId
    const doors: Record<string, () => Promise<Answered>> = {
      'sign-in': () => calls.login(),
      'a second sign-in': () => calls.login(),
      stow: () => calls.stow(headers, [objectOf('1.95', 2)]),
      tus: () => calls.ask('POST', '/api/Scan/uploads', { ...headers, 'tus-resumable': '1.0.0', 'upload-length': '9' }),
      wado: () =>
        calls.ask('GET', '/dicom-web/studies/1.95/series/1.95.1/instances/1.95.1.1', {
          ...headers,
          accept: 'application/dicom',
        }),
      qido: () => calls.ask('GET', '/dicom-web/studies', headers),
      list: () => calls.ask('GET', '/api/Complaint/list', headers),
      share: () => calls.ask('POST', '/api/Scan/getShared', {}, { token: 'a'.repeat(43) }),
      transfer: () =>
        calls.ask('POST', `/api/Scan/transfer/${organizationId}`, headers, {
          scans: [{ studyUID: '1.95', seriesUID: '1.95.1' }],
          dstOrganizationName: 'South-Clinic',
          anonymize: true,
        }),
      readyz: () => calls.ask('GET', '/readyz'),
    }
    const knockAll = async (): Promise<Record<string, number | string>> => {
      const answers = await Promise.all(
        Object.entries(doors).map(async ([name, knock]) => {
          const began = performance.now()
          const { status } = await knock()
          return [name, performance.now() - began < longestMs ? status : `${status}, too late`] as const
        }),
      )
      return Object.fromEntries(answers)
    }
    cluster.freeze()
    const frozen = Object.fromEntries(Object.keys(doors).map((name) => [name, 503]))
    // At first by the time that a step has, then at once. An upload that only begins needs what is remembered for a
    // second, and a file.
    const first = await knockAll()
    expect([201, 503]).toContain(first.tus)
    expect({ ...first, tus: 503 }).toEqual(frozen)
    expect(await knockAll()).toEqual(frozen)
    expect(await closeCodeOf(`${url.replace('http', 'ws')}/live`, headers)).toBe(1011)
    expect((await calls.ask('GET', '/healthz')).status).toBe(200)

    cluster.thaw()
    for (;;) {
      if ((await calls.login()).status === 200) break
      await new Promise((again) => setTimeout(again, 100))
    }
    expect((await calls.stow(headers, [objectOf('1.95', 2)])).status).toBe(200)
    expect((await calls.ask('GET', '/dicom-web/studies', headers)).status).toBe(200)
  })

  it('does not keep a server from stopping [P21]', async () => {
    const [calls, child] = await start(0, { DMP_STOP_SECONDS: '2' })
    const headers = await calls.signIn()
    cluster.freeze()
    const open = calls.ask('GET', '/dicom-web/studies', headers).catch(() => undefined)
    child.process.kill('SIGTERM')
    const { code, errors } = await child.ended
    expect([code, errors]).toEqual([1, expect.stringContaining('The server could not stop in order within 7 s')])
    await open
    cluster.thaw()
  })
})

function closeCodeOf(address: string, { authorization = '' }: Record<string, string>): Promise<number> {
  const token = authorization.replace('Bearer ', '')
  const socket = new WebSocket(`${address}?sessionId=${crypto.randomUUID()}&clientId=dmp-web`)
  return new Promise((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'renewToken', accessToken: token })))
    socket.on('error', () => undefined)
    socket.on('close', resolve)
  })
}
