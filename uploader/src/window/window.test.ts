import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { startUploader } from '../processesInTests.ts'
import { part10Start } from '@dmp/dimse/elementWriter'
import { ctClass } from '../gateway/deviceInTests.ts'
import { reasons } from './reasons.ts'
import { texts } from './texts.ts'
import { openUploaderWindow } from './windowInTests.ts'

let folder: string
let running: ReturnType<typeof startUploader>
let address: URL
let cookie: string
const start = (words: readonly string[]) =>
  startUploader(['window', '--no-open', '--state', path.join(folder, 'state'), ...words], folder, { HOME: folder })
const heard = (child: typeof running): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.process.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /(http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)/.exec(said)
      if (found?.[1]) resolve(found[1])
    })
    void child.end.then((ended) => reject(new Error(ended.said)))
  })

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-window-'))
  running = start([])
  address = new URL(await heard(running))
  const entered = await fetch(address, { redirect: 'manual' })
  cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
})
afterAll(async () => {
  running.process.kill('SIGTERM')
  await running.end
  rmSync(folder, { recursive: true, force: true })
})

const ask = (place: string, options: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
  fetch(new URL(place, address.origin), { ...options, headers: { cookie, 'x-dmp-window': '1', ...options.headers } })
const act = (name: string, body: object) => ask(`/${name}`, { method: 'POST', body: JSON.stringify(body) })

describe('the window of the uploader', () => {
  it('opens by an address that is good once, and for its cookie alone [P56]', async () => {
    expect(cookie).toMatch(/^dmp-window-\d+=.{40,}$/)
    const again = await fetch(address, { redirect: 'manual' })
    expect([again.status, await again.text()]).toEqual([401, expect.stringContaining('used up')])
    for (const place of ['/', '/state', '/page.js', '/texts.json'])
      expect((await fetch(new URL(place, address.origin))).status).toBe(401)
    const page = await ask('/')
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; object-src 'none'; script-src 'self'/,
    )
    expect(await page.text()).toContain('id="drop"')
  })

  it('answers no other name, no other page and no form [P56]', async () => {
    const byName = await new Promise<number | undefined>((resolve) => {
      const { port } = address
      request({ host: '127.0.0.1', port, path: '/state', headers: { cookie, host: `evil.example:${port}` } }, (reply) =>
        resolve(reply.statusCode),
      ).end()
    })
    expect(byName).toBe(421)
    expect((await ask('/state', { headers: { origin: 'https://evil.example' } })).status).toBe(403)
    const form = { method: 'POST', body: '{}', headers: { cookie } }
    expect((await fetch(new URL('/pause', address.origin), form)).status).toBe(403)
  })

  it('gives a new address to nobody who does not know its secret, whatever cookie comes along [P56]', async () => {
    for (const authorization of [undefined, '', 'Bearer', 'Bearer guessed'])
      expect(
        (await ask('/address', { method: 'POST', ...(authorization !== undefined && { headers: { authorization } }) }))
          .status,
      ).toBe(401)
  })

  it('answers its own page, and takes no more than it ever says [P56]', async () => {
    const said = (bytes: number) =>
      ask('/pause', {
        method: 'POST',
        body: JSON.stringify({ isPaused: false }).padEnd(bytes),
        headers: { origin: address.origin },
      })
    expect((await said(100_000)).status).toBe(200)
    const refused = await said(100_001)
    expect([refused.status, await refused.text()]).toEqual([400, 'That is too much.'])
    expect((await ask('/nothing', { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('pauses and goes on, watches a folder, and is slower by day; the settings keep it [P56]', async () => {
    expect(await (await act('pause', { isPaused: true })).json()).toMatchObject({ isPaused: true })
    expect(await (await act('pause', { isPaused: false })).json()).toMatchObject({ isPaused: false })
    const place = path.join(folder, 'scans')
    mkdirSync(place)
    expect(await (await act('folders', { folders: [place] })).json()).toMatchObject({ folders: [place] })
    const nowhere = await act('folders', { folders: [path.join(folder, 'nowhere')] })
    expect([nowhere.status, await nowhere.text()]).toEqual([400, expect.stringContaining('is not a folder')])
    const slower = { kilobytesPerSecond: 500, from: '07:00', to: '18:00' }
    expect(await (await act('slower', { slower })).json()).toMatchObject({ slower })
    expect((await act('slower', { slower: { ...slower, from: '25:00' } })).status).toBe(400)
    const kept: unknown = JSON.parse(readFileSync(path.join(folder, 'state/dmp-uploader.json'), 'utf8'))
    expect(kept).toEqual({ folders: [place], slower })
  })

  it('keeps what is dropped until it is sent, inside its own folder [P56]', async () => {
    const dropped = await ask(`/drop?name=${encodeURIComponent('../../CT/a.dcm')}`, { method: 'PUT', body: 'content' })
    expect(dropped.status).toBe(200)
    expect(readdirSync(path.join(folder, 'state/dropped/CT'))).toEqual(['a.dcm'])
    expect((await ask('/drop?name=..', { method: 'PUT', body: 'x' })).status).toBe(400)
  })

  it('keeps nothing of a drop that broke off [P56]', async () => {
    const place = path.join(folder, 'state/dropped/half')
    const half = request(new URL('/drop?name=half/a.dcm', address.origin), {
      method: 'PUT',
      headers: { cookie, 'x-dmp-window': '1', 'content-length': 1000 },
    }).on('error', () => undefined)
    half.write('content')
    const kept = (): number => (existsSync(place) ? readdirSync(place).length : 0)
    while (kept() === 0) await setImmediate()
    half.destroy()
    while (kept() > 0) await setImmediate()
  })

  it('lists folders to choose from [P56]', async () => {
    const reply = await ask(`/subfolders?at=${encodeURIComponent(folder)}`)
    expect(await reply.json()).toMatchObject({
      at: folder,
      names: expect.arrayContaining(['scans', 'state']) as unknown,
    })
  })

  it('that runs already gives a new address to who starts it once more [P56]', async () => {
    const second = start([])
    const fresh = new URL(await heard(second))
    expect((await second.end).code).toBe(0)
    expect(fresh.port).toBe(address.port)
    expect((await fetch(fresh, { redirect: 'manual' })).status).toBe(303)
  })

  it('says once that the API token was ended, in the window and in the log [P45, P56]', async () => {
    let isEnded = false
    const tokenExpiresDate = new Date(Date.now() + 90 * 86_400_000).toISOString()
    const data = { organization: 'North', product: 'v1.1.0', offered: null, oldest: '1.0.0', tokenExpiresDate }
    const server = createServer((asked, response) => {
      const isTold = asked.url === '/api/Station/tell'
      // Who may upload is told that nothing came.
      response.writeHead(isEnded ? 401 : isTold ? 200 : 400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isTold && !isEnded ? { data } : {}))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const window = await openUploaderWindow(folder, ['--state', path.join(folder, 'idle')], {
      UPLOADER_SERVER: `http://127.0.0.1:${port}`,
      UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
    })
    expect((await window.until(({ tokenUntil }) => tokenUntil !== undefined)).tokenUntil).toBe(tokenExpiresDate)
    isEnded = true
    const slice = part10Start({
      sopClassUID: ctClass,
      sopInstanceUID: '1.2.3',
      transferSyntaxUID: '1.2.840.10008.1.2.1',
    })
    await window.drop('a.dcm', Uint8Array.from(slice))
    const sentence = 'The API token was ended, or is suspended or expired. Connect again.'
    const state = await window.until(({ problem }) => problem !== undefined)
    expect(state).toMatchObject({ problem: sentence, problemCode: 'TOKEN_ENDED', isConnected: false })
    // Once, and nothing that says the contrary; the address is there for who connects again.
    expect([state.failures, state.tokenUntil, state.address]).toEqual([[], undefined, `http://127.0.0.1:${port}`])
    await window.act('again', {})
    await window.stop()
    const logs = readdirSync(path.join(folder, 'idle')).filter((name) => name.endsWith('.log'))
    const logged = logs.map((name) => readFileSync(path.join(folder, 'idle', name), 'utf8')).join('')
    expect(logged.split(sentence)).toHaveLength(2)
    server.close()
    server.closeAllConnections()
  })

  it('watches a folder that was named at its start from now on, until somebody takes it out [P56]', async () => {
    const state = ['--state', path.join(folder, 'kept')]
    mkdirSync(path.join(folder, 'beside'))
    mkdirSync(path.join(folder, 'here'))
    const named = await openUploaderWindow(path.join(folder, 'here'), [...state, '../beside'])
    await named.until(({ folders }) => folders.length > 0)
    await named.stop()
    const later = await openUploaderWindow(folder, state)
    expect((await later.until(({ folders }) => folders.length > 0)).folders).toEqual([path.join(folder, 'beside')])
    await later.act('folders', { folders: [] })
    await later.stop()
    const last = await openUploaderWindow(folder, state)
    expect((await last.state()).folders).toEqual([])
    await last.stop()
  })

  it('waits for a code no longer when somebody cancels it, and shows the next one [P45, P56]', async () => {
    let codes = 0
    const server = createServer((asked, response) => {
      const isNew = asked.url === '/api/oauth/device'
      const code = { device_code: 'x', user_code: `AAAA-AAA${(codes += isNew ? 1 : 0)}`, expires_in: 600, interval: 1 }
      response.writeHead(isNew ? 200 : 400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(isNew ? { ...code, verification_uri: 'http://a.example' } : { error: 'authorization_pending' }),
      )
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const window = await openUploaderWindow(folder, ['--state', path.join(folder, 'cancelled')])
    for (const userCode of ['AAAA-AAA1', 'AAAA-AAA2']) {
      await window.act('connect', { server: address })
      expect((await window.until(({ code }) => code !== undefined)).code?.userCode).toBe(userCode)
      await window.act('cancel', {})
      expect(await window.state()).not.toHaveProperty('code')
    }
    expect(await window.state()).not.toHaveProperty('unconnected')
    await window.stop()
    server.close()
    server.closeAllConnections()
  })

  it('says whatever it says in every language [P56]', async () => {
    const { catalogues } = (await (await ask('/texts.json')).json()) as {
      catalogues: Record<string, Record<string, string>>
    }
    const names = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()
    expect(Object.keys(catalogues)).toEqual(['de', 'fr', 'es', 'ja', 'ar'])
    for (const catalogue of Object.values(catalogues))
      for (const text of Object.values(texts)) expect(names(catalogue[text] ?? '')).toEqual(names(text))
    for (const catalogue of Object.values(catalogues))
      for (const reason of Object.values(reasons)) expect([undefined, '', reason]).not.toContain(catalogue[reason])
  })
})
