import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { calls } from '@dmp/contract/calls'
import { someSettings } from '@dmp/contract/examples'
import { permits } from '@dmp/contract/endpoint'
import { Declaration } from '@dmp/contract/remote'
import * as v from 'valibot'
import { firstCallsScript, listFirstCalls } from './firstCalls.ts'

const root = path.join(import.meta.dirname, '../../..')
const declarations = globSync('*/remote.json', { cwd: root }).map((file) =>
  v.parse(Declaration, JSON.parse(readFileSync(path.join(root, file), 'utf8'))),
)
const declared = listFirstCalls(declarations)
const organizationId = '7a7a7a7a-0000-4000-8000-000000000001'
const policy = [
  { module: 'Scan', actions: ['List', 'Get'] },
  { module: 'Complaint', actions: ['List'] },
]
const provider = [...policy, { module: 'Organization', actions: ['List', 'ListActivated', 'Get'] }]

interface Stored {
  readonly policy?: typeof policy
  readonly validMs?: number
  readonly lastActiveMs?: number
  readonly items?: Readonly<Record<string, string>>
  readonly state?: object
}

/** Runs the script of a page as a browser does; returns the addresses that it asks. */
function run(address: string, { policy: own = policy, validMs = 60_000, lastActiveMs = 0, items, state }: Stored = {}) {
  const [script = ''] = firstCallsScript('abc', declared, address, { apiRoot: '/api' })
  const [, data = '', code = ''] = /^<script nonce="abc" data-calls="([^"]*)">([^]*)<\/script>$/.exec(script) ?? []
  const asked: { url: URL; headers: Record<string, string> }[] = []
  const storage: Record<string, string> = {
    authData: JSON.stringify({ accessToken: 'token', expireDate: new Date(Date.now() + validMs).toISOString() }),
    user: JSON.stringify({ policy: own, organizationId }),
    lastActiveTime: String(Date.now() - lastActiveMs),
    ...items,
  }
  const settings = someSettings({ idle: { required: true, idleMinutes: 15, timeoutMinutes: 1 } })
  vm.runInNewContext(code, {
    localStorage: { getItem: (key: string) => storage[key] ?? null },
    document: {
      baseURI: 'https://dmp.example/',
      currentScript: { dataset: { calls: data.replaceAll('&quot;', '"').replaceAll('&amp;', '&') } },
      getElementById: () => ({ textContent: JSON.stringify(settings) }),
    },
    history: { state: state ?? null },
    location: { search: address.slice(address.split('?', 1)[0]?.length) },
    fetch: (url: URL, { headers }: { headers: Record<string, string> }) => {
      asked.push({ url, headers })
      return Promise.reject(new Error('nobody answers'))
    },
    URL,
    AbortController,
  })
  return asked
}
const addresses = (...of: Parameters<typeof run>) => run(...of).map(({ url }) => `${url.pathname}${url.search}`)

it('asks for what the screen of the address asks first, with the token of the session [7.01, P65]', () => {
  const [list] = run('/complaint')
  expect(list?.url.href).toBe('https://dmp.example/api/Complaint/list?page=1&pageSize=10')
  expect(list?.headers).toEqual({
    Accept: 'application/json',
    Authorization: 'Bearer token',
    'Content-Type': 'application/json; charset=UTF-8',
  })
  expect(run('/complaint', { items: { 'preference:language': 'de' } })[0]?.headers['Accept-Language']).toBe('de')
  expect(addresses('/Scan?page=3&pageSize=25&searchTerm=&sortColumn=')).toEqual([
    `/api/Scan/list?page=3&pageSize=25&organizationId=${organizationId}`,
  ])
  expect(addresses('/scan/detail/o%201/1.2.3')).toEqual(['/api/Scan/get?organizationId=o+1&seriesUID=1.2.3'])
})

it('asks what people who choose an organization see first, and them alone [2.58, P65]', () => {
  expect(addresses('/scan', { policy: provider })).toEqual(['/api/Organization/listActivated'])
  expect(addresses('/organization', { policy: provider })).toEqual(['/api/Organization/list?page=1&pageSize=10'])
  expect(addresses('/organization')).toEqual([])
})

it('asks nothing where the screen would ask for something else, or nobody is signed in any more [4.13, 7.01, P65]', () => {
  for (const address of ['/complaint?searchTerm=knee', '/scan?pageSize=13', '/scan?page=0', '/scan?page=07', '/login'])
    expect(addresses(address)).toEqual([])
  for (const address of ['/complaint/add', '/scan/detail/%ff/1.2', '/complaint/detail/', '/constructor'])
    expect(addresses(address)).toEqual([])
  expect(addresses('/complaint', { validMs: -1 })).toEqual([])
  expect(addresses('/complaint', { lastActiveMs: 17 * 60_000 })).toEqual([])
  expect(addresses('/complaint', { items: { authData: '{', user: 'null' } })).toEqual([])
  // The list as it was left.
  expect(addresses('/complaint', { state: { key: 'x1' }, items: { dataTableHistory: '{}' } })).toEqual([])
})

it('lets no address write into the page [P14, P65]', () => {
  const [script = ''] = firstCallsScript('abc', declared, `/complaint/detail/"><img src=x>'&`, { apiRoot: '/api' })
  expect(script).not.toMatch(/<img|"><|'&(?!amp;)/)
})

describe.each(declarations.filter(({ firstCalls }) => firstCalls))('$name', ({ firstCalls = [], needs }) => {
  it.each(firstCalls)('declares $call as the contract has it, for $at [P65]', ({ call: name, input, unless, at }) => {
    expect(needs.contract).toMatch(/^\^1\.(?:1[0-9]|[2-9][0-9])\.0$/)
    const { definition } = calls.find((call) => call.name === name) ?? {}
    expect(definition).toMatchObject({ method: 'GET' })
    expect(Object.keys({ ...definition?.params?.entries, ...definition?.query?.entries })).toEqual(
      expect.arrayContaining(Object.keys(input)),
    )
    // It leaves an answer that nobody takes where another first call is made in its place.
    if (unless) expect(firstCalls.filter((other) => other.at === at)).toHaveLength(2)
    expect(permits([], definition?.needs ?? 'session')).toBe(definition?.needs === 'session')
  })
})
