import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callsAt, objectOf } from '../../../testing/callsFromOutside.ts'
import { startChild, type Child } from '../../../testing/childServer.ts'
import { startPostgresCluster, type PostgresCluster } from '../../../testing/postgresCluster.ts'

/** How long a commit is under way when nobody listens for its answer any more. */
const lateMs = 700

const folder = mkdtempSync(join(tmpdir(), 'dmp-late-'))
let cluster: PostgresCluster
let child: Child
let line: Server
let isArmed = false
let cut = 0

/** A line to PostgreSQL that breaks, where it is armed, while a commit of an upload is on its way: it arrives late. */
function startLine(port: number): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    let isUpload = false
    near.on('data', (bytes) => {
      // The key of an object that is added: the statement itself is sent once for each connection.
      if (bytes.includes('scans/')) isUpload = true
      if (!isArmed || !isUpload || !/Q....commit/s.test(bytes.toString('latin1'))) return void far.write(bytes)
      isArmed = false
      cut += 1
      near.destroy()
      void pause(lateMs).then(() => far.end(bytes))
    })
    far.on('data', (bytes) => near.writable && near.write(bytes))
    near.on('close', () => isArmed || cut > 0 || far.end()).on('error', () => undefined)
    far.on('close', () => near.destroy()).on('error', () => undefined)
  })
  return new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(server)))
}

beforeAll(async () => {
  cluster = await startPostgresCluster()
  const url = new URL(cluster.url)
  line = await startLine(Number(url.port))
  url.port = String((line.address() as AddressInfo).port)
  child = startChild({
    DMP_DEMO: '1',
    DMP_DATA_DIR: folder,
    DATABASE_URL: url.href,
    DMP_LIMIT_FACTOR: '1000',
    DMP_DISK_NOTICE_MB: '0',
  })
})
afterAll(async () => {
  child.process.kill('SIGKILL')
  await child.ended
  line.close()
  cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a commit that lands after the line to the database broke', () => {
  it('keeps the bytes of its rows, of one upload and of several together [P20, P21, P62]', async () => {
    const calls = callsAt((await child.ready).replace('localhost', '127.0.0.1'))
    const headers = await calls.signIn()
    const send = (number: number) => calls.stow(headers, [objectOf('1.96', number)])
    for (const numbers of [[1], [2], [3, 4, 5, 6], [7, 8, 9, 10]]) {
      isArmed = true
      const answers = await Promise.all(numbers.map(send))
      isArmed = false
      await pause(2 * lateMs)
      for (const [index, number] of numbers.entries()) {
        const path = `/dicom-web/studies/1.96/series/1.96.1/instances/1.96.1.${number}`
        const readStatus = async (what: string, accept: string) =>
          (await calls.ask('GET', path + what, { ...headers, accept })).status
        // The row alone answers for the metadata.
        const [row, bytes] = [await readStatus('/metadata', '*/*'), await readStatus('', 'application/dicom')]
        expect([number, row, bytes]).toEqual([number, row, row])
        if (answers[index]?.status === 200) expect(row).toBe(200)
        expect(JSON.parse((await send(number)).text)).not.toHaveProperty('00081198')
      }
    }
    expect(cut).toBe(4)
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
  })
})
