import { createRequire } from 'node:module'
import { mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../workspace/files.ts'
import { runProcess } from '../workspace/runProcess.ts'
import { startReportServer, type ReportServer } from './reportServer.ts'

interface Sharp {
  (options: object): { png(): { toBuffer(): Promise<Buffer> } }
}
const sharp = createRequire(join(root, 'server', 'package.json'))('sharp') as Sharp
const picture = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer()

let server: ReportServer
let checkout: string
let looks: string
const git = async (...args: string[]) => (await runProcess('git', args, { cwd: checkout, isQuiet: true })).text.trim()

beforeEach(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'dmp-looks-'))
  looks = join(checkout, 'looks')
  const [results, report] = [join(checkout, 'results'), join(checkout, 'report')]
  for (const folder of [looks, report, join(results, 'a'), join(results, 'b')]) mkdirSync(folder, { recursive: true })
  for (const name of ['scan-1280-light', 'scan-360-dark', 'user-1280-light', 'same-1280-light']) {
    writeFileSync(join(looks, `${name}.png`), await picture('red'))
    utimesSync(join(looks, `${name}.png`), new Date(0), new Date(0))
  }
  for (const [folder, name] of [
    ['a', 'scan-1280-light'],
    ['a', 'scan-360-dark'],
    ['b', 'user-1280-light'],
  ] as const)
    writeFileSync(join(results, folder, `${name}-actual.png`), await picture('blue'))
  writeFileSync(join(results, 'a', 'scan-1280-light-diff.png'), await picture('yellow'))
  // Not a look that anybody accepted: a failed journey's own picture.
  writeFileSync(join(results, 'b', 'unknown-actual.png'), await picture('blue'))
  writeFileSync(join(report, 'index.html'), 'the report')
  writeFileSync(join(checkout, 'secret.txt'), 'not the report')
  await git('init', '-q')
  await git('config', 'user.email', 'ann@dmp.example')
  await git('config', 'user.name', 'Ann')
  await git('add', 'looks')
  await git('commit', '-qm', 'Begin')
  server = await startReportServer({ report, folders: { results, looks }, checkout, say: () => undefined })
})
afterEach(() => server.close())

const fetchText = async (path: string) => (await fetch(server.url + path)).text()

describe('the report of the last run, on this machine', () => {
  it('shows each changed screen with its pictures before and after', async () => {
    const page = await fetchText('')
    expect([...page.matchAll(/<h2 id="(\w+)">/g)].map(([, screen]) => screen)).toEqual(['scan', 'user'])
    expect(page).not.toContain('same-1280-light')
    expect(page).not.toContain('unknown')
    const bytes = async (path: string) => Buffer.from(await (await fetch(server.url + path)).arrayBuffer())
    expect(await bytes('before/scan-1280-light.png')).toEqual(await picture('red'))
    expect(await bytes('after/scan-1280-light.png')).toEqual(await picture('blue'))
    expect(await bytes('difference/scan-1280-light.png')).toEqual(await picture('yellow'))
    expect((await fetch(`${server.url}difference/user-1280-light.png`)).status).toBe(404)
    expect(await fetchText('report/index.html')).toBe('the report')
  })

  it('makes a commit of a click: the pictures of that screen, and nothing else that is changed', async () => {
    writeFileSync(join(checkout, 'mine.txt'), 'staged work of somebody')
    await git('add', 'mine.txt')
    const answer = await fetch(`${server.url}accept/scan`, { method: 'POST' })
    const page = await answer.text()
    expect(page).toContain(`scan is accepted: commit ${await git('rev-parse', '--short', 'HEAD')}.`)
    expect(page).not.toContain('<h2 id="scan">')
    expect(page).toContain('<h2 id="user">')
    expect(await git('show', '--name-only', '--format=%s')).toBe(
      'Accept the look of scan\n\nlooks/scan-1280-light.png\nlooks/scan-360-dark.png',
    )
    expect(await git('status', '--short', 'looks', 'mine.txt')).toBe('A  mine.txt')
    // Again, such as by a reload: there is nothing left to accept.
    const head = await git('rev-parse', 'HEAD')
    await fetch(`${server.url}accept/scan`, { method: 'POST' })
    await fetch(`${server.url}accept/..%2Fsecret`, { method: 'POST' })
    expect(await git('rev-parse', 'HEAD')).toBe(head)
  })

  it('says why where git refuses, and two clicks at once are two commits', async () => {
    await Promise.all(['scan', 'user'].map((screen) => fetch(`${server.url}accept/${screen}`, { method: 'POST' })))
    expect((await git('log', '--format=%s')).split('\n').sort()).toEqual([
      'Accept the look of scan',
      'Accept the look of user',
      'Begin',
    ])
    writeFileSync(join(checkout, 'results', 'a', 'same-1280-light-actual.png'), await picture('green'))
    writeFileSync(join(checkout, '.git', 'index.lock'), '')
    const page = await (await fetch(`${server.url}accept/same`, { method: 'POST' })).text()
    expect(page).toMatch(/same is not accepted, because git refused: .*index\.lock/)
  })

  it('opens only for who has its address: no other page, name or folder', async () => {
    const { origin, port } = new URL(server.url)
    expect((await fetch(`${origin}/`)).status).toBe(404)
    expect((await fetch(`${origin}/accept/scan`, { method: 'POST' })).status).toBe(404)
    for (const way of ['report/..%2Fsecret.txt', 'report/..%2F..%2Fetc%2Fpasswd', 'before/..%2Fsecret.png'])
      expect((await fetch(server.url + way)).status).toBe(404)
    const path = new URL(server.url).pathname
    const byName = await new Promise<number | undefined>((answered) => {
      const headers = { host: `looks.example:${port}` }
      get({ host: '127.0.0.1', port, path, headers }, ({ statusCode }) => answered(statusCode))
    })
    expect(byName).toBe(404)
    expect(readFileSync(join(looks, 'scan-1280-light.png'))).toEqual(await picture('red'))
  })
})
