import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { dicomFile, slice, text } from './dicom/testing/dicomFile.ts'
import { proofHeader } from './operator/operatorDoor.ts'
import { startChild, type Child, type Ended } from './testing/childServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-ingest-running-'))
const scans = join(folder, 'scans')
const dataDir = join(folder, 'data')
const doorFile = join(dataDir, 'operator.json')
const production = {
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  DMP_DATA_DIR: dataDir,
}
const files = 200

const ingest = (...words: string[]): Child => startChild(production, 'ingest.ts', words)
let server: Child
async function startServer(): Promise<void> {
  server = startChild(production)
  await server.ready
  while (!existsSync(doorFile)) await new Promise((again) => setTimeout(again, 20))
}
async function stopServer(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  server.process.kill(signal)
  await server.ended
}

const writeScan = (name: string, instance: number): void =>
  writeFileSync(
    join(scans, name),
    dicomFile({
      elements: slice({
        '00080018': text('UI', `1.2.3.4.${instance}`),
        '0020000D': text('UI', '1.2.3'),
        '0020000E': text('UI', '1.2.3.1'),
      }),
    }),
  )

beforeAll(async () => {
  mkdirSync(scans)
  for (let n = 0; n < files; n += 1) writeScan(`${n}.dcm`, n)
  writeScan('again.dcm', 0)
  writeFileSync(join(scans, 'letter.txt'), 'no image')
  const { db, close } = await openDatabase({ kind: 'folder', folder: dataDir })
  await migrate(db)
  const values = { name: 'North-Clinic', status_by: 'System', datastore_id: 'n'.repeat(32) }
  await db.insertInto('organizations').values(values).execute()
  await close()
  await startServer()
})
afterAll(async () => {
  await stopServer('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const timeless = ({ out }: Ended): string => out.replace(/^\[.*\n/gm, '').replace(/MB in .*/, 'MB')

describe('reading a folder while the server runs', () => {
  it('goes on after the command was killed, and says of every file what became of it [P12, P61]', async () => {
    const killed = ingest(scans)
    while (!killed.said.out.includes('] ')) await new Promise((again) => setTimeout(again, 10))
    killed.process.kill('SIGKILL')
    await killed.ended
    const { code, out, errors } = await ingest(scans, '--organization', 'north-clinic').ended
    expect([code, errors]).toEqual([0, ''])
    expect(out).toContain(`Reading ${scans} into North-Clinic\n`)
    const [, stored = '', duplicates = ''] = /(\d+) stored, in 1 series\n {2}(\d+) were already stored/.exec(out) ?? []
    expect([Number(stored) + Number(duplicates), Number(duplicates) > 1]).toEqual([files + 1, true])
    expect(out).toContain('1 refused\n    1 × NOT_DICOM')
  })

  it('answers as it does without the server, and names what is wrong [P61]', async () => {
    const beside = await ingest(scans).ended
    const wrong = await ingest(scans, '--organization', 'nobody').ended
    // A server that was killed leaves the address of a door that leads nowhere.
    await stopServer('SIGKILL')
    expect(existsSync(doorFile)).toBe(true)
    const alone = await ingest(scans).ended
    expect([beside.code, alone.code]).toEqual([0, 0])
    expect(timeless(beside)).toBe(timeless(alone))
    expect(timeless(alone)).toContain(`  0 stored, in 1 series\n  ${files + 1} were already stored`)
    expect([wrong.code, wrong.errors]).toEqual([
      1,
      'No activated organization with a datastore is called nobody. Choose one of: North-Clinic.\n',
    ])

    // Whoever takes its port then learns nothing, and is not believed.
    const heard: string[] = []
    const stranger = createServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${request.rawHeaders.join(' ')}`)
      request.on('data', (bytes: Buffer) => heard.push(bytes.toString()))
      response.writeHead(200, { [proofHeader]: 'a'.repeat(43) }).end('{"end":true}\n')
    })
    const { port, key } = JSON.parse(readFileSync(doorFile, 'utf8')) as { port: number; key: string }
    await once(stranger.listen(port, '127.0.0.1'), 'listening')
    const beset = await ingest(scans).ended
    await new Promise((closed) => stranger.close(closed))
    expect([beset.code, timeless(beset)]).toEqual([0, timeless(alone)])
    expect(heard).toEqual([expect.stringMatching(/^GET \/proof\?challenge=[\w-]{43} /)])
    expect(heard.join()).not.toContain(key)
    await startServer()
  })

  it('is the operator’s alone: the door asks for the key in the private folder [P61]', async () => {
    const { port, key } = JSON.parse(readFileSync(doorFile, 'utf8')) as { port: number; key: string }
    expect([statSync(doorFile).mode & 0o077, statSync(dataDir).mode & 0o077]).toEqual([0, 0])
    const ask = async (path: string, init: RequestInit = {}) => {
      const body = JSON.stringify({ folder: scans })
      return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, ...init })).status
    }
    const headers = { authorization: `Bearer ${key}` }
    const asksForProof = async (challenge: string) =>
      (await fetch(`http://127.0.0.1:${port}/proof?challenge=${challenge}`)).headers.get(proofHeader)
    const [one, other] = [await asksForProof('a'.repeat(43)), await asksForProof('b'.repeat(43))]
    expect([one, other]).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.not.stringMatching(`^${one}$`)])
    expect([await asksForProof('a'), await asksForProof('a'.repeat(44))]).toEqual([null, null])
    expect([
      await ask('/ingest', { headers: { authorization: `Bearer ${one}` } }),
      await ask('/ingest'),
      await ask('/ingest', { headers: { authorization: `Bearer ${key.slice(1)}` } }),
      await ask('/ingest', { headers: { ...headers, authorization: `Basic ${key}` } }),
      await ask('/ingest', { headers, method: 'PUT' }),
      await ask('/constructor', { headers }),
      await ask('/ingest/../ingest?x=1', { headers }),
    ]).toEqual(Array(7).fill(404))
    const reply = await fetch(`http://127.0.0.1:${port}/ingest`, { method: 'POST', headers, body: '{"folder":7}' })
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('"failure"')])
  })

  it('writes an organization out and takes it in by the same door [P61]', async () => {
    const move = (command: string, ...words: string[]) =>
      startChild(production, 'admin.ts', [command, join(folder, 'export'), ...words]).ended
    const written = await move('export', '--organization', 'North-Clinic')
    expect([written.code, written.errors]).toEqual([0, ''])
    expect(written.out).toContain(`${files} objects in 1 folders`)
    const taken = await move('import', '--organization', 'North-Clinic')
    expect([taken.code, taken.errors]).toEqual([0, ''])
    expect(taken.out).toContain(`  0 stored, in 1 series\n  ${files} were already stored\n  0 refused`)
    expect((await move('export')).errors).toContain('npm run admin -- export <folder> --organization North-Clinic')
  })

  it('says that the server was stopped, and is taken up by the next one [P61]', async () => {
    for (let n = 0; n < files; n += 1) writeScan(`more ${n}.dcm`, 1000 + n)
    const command = ingest(scans)
    while (!command.said.out.includes('] ')) await new Promise((again) => setTimeout(again, 10))
    await stopServer('SIGTERM')
    const { code, errors } = await command.ended
    expect([code, errors]).toEqual([
      1,
      'The server was stopped. Nothing that was taken in is lost: give the same command again.\n',
    ])
    expect(existsSync(doorFile)).toBe(false)
    await startServer()
    const { out } = await ingest(scans).ended
    expect(out).toMatch(/[1-9]\d* stored, in 1 series/)
  })
})
