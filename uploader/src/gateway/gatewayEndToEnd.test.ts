import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { status } from '@dmp/dimse'
import { startUploader } from '../processesInTests.ts'
import { loadedVariable } from '../update/launch.ts'
import { askCommitment, dial, freePort, openReceiver, openReports, store } from './deviceInTests.ts'

// A device, the uploader as a process of its own, and a server of STOW-RS that counts what comes, behind a line.

/** More by hand: DMP_TEST_KILL_ROUNDS=20 */
const rounds = Number(process.env.DMP_TEST_KILL_ROUNDS ?? 3)
const slicesOfRound = 8
let folder: string
let receiver: Awaited<ReturnType<typeof openReceiver>>
let reports: Awaited<ReturnType<typeof openReports>>
let port: number
let running: ReturnType<typeof startUploader>

/** Without the one who supervises it, what is killed is what works; else it is left alone by the kill. */
const startGateway = (isSupervised: boolean): void => {
  running = startUploader(['--watch', '--config', path.join(folder, 'settings.json'), '--state', folder], folder, {
    UPLOADER_SERVER: receiver.address,
    UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
    ...(!isSupervised && { [loadedVariable]: 'test' }),
  })
}
/** Returns when nobody holds its output any more: whoever worked for it has ended too. */
const kill = async (): Promise<void> => {
  running.process.kill('SIGKILL')
  await running.end
}
/** As devices do: again until it is told that it arrived. */
async function sendUntilTaken(at: number): Promise<void> {
  for (;;) {
    try {
      const association = await dial(port)
      const answer = await store(association, at)
      await association.release()
      if (answer === status.success) return
    } catch {
      await wait(50)
    }
  }
}
const waiting = (): string[] => {
  const place = path.join(folder, 'received', 'from-CT_ROOM3')
  return existsSync(place) ? readdirSync(place).filter((name) => !name.startsWith('.')) : []
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-e2e-'))
  receiver = await openReceiver()
  reports = await openReports()
  port = await freePort()
  const partners = [{ aeTitle: 'CT_ROOM3', address: '127.0.0.1', port: reports.port }]
  const gateway = { aeTitle: 'DMP_GATEWAY', port, host: '127.0.0.1', reserveGigabytes: 0, partners }
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ gateway, lookEverySeconds: 1 }), { mode: 0o600 })
})
afterEach(async () => {
  await kill()
  reports.close()
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  ['survives kills at any moment', false],
  ['ends when its supervisor is killed, goes on with the next start', true],
])('buffers without a line, %s, and commits when the server has everything [P71]', async (_name, isSupervised) => {
  receiver.cut(true)
  startGateway(isSupervised)
  const all = Array.from({ length: slicesOfRound * (rounds + 1) }, (_each, at) => at)
  // Without a line: what is sent is taken, and kept over a kill.
  for (const at of all.slice(0, slicesOfRound)) await sendUntilTaken(at)
  expect(waiting()).toHaveLength(slicesOfRound)
  await kill()
  expect(waiting()).toHaveLength(slicesOfRound)
  startGateway(isSupervised)
  await sendUntilTaken(0)
  const association = await dial(port)
  expect(await askCommitment(association, '1.2.9.9', all.slice(0, slicesOfRound))).toBe(status.success)
  await association.release()
  receiver.cut(false)
  // With one: killed while slices come in and go out.
  for (let round = 1; round <= rounds; round += 1) {
    const sending = all.slice(round * slicesOfRound, (round + 1) * slicesOfRound).map((at) => sendUntilTaken(at))
    await Promise.race(sending)
    await kill()
    startGateway(isSupervised)
    await Promise.all(sending)
  }
  while (waiting().length > 0) await wait(100)
  expect([...receiver.stored.keys()].toSorted()).toEqual(all.map((at) => `1.2.77.1.${at}`).toSorted())
  const report = await reports.next()
  expect([report.transactionUID, report.references.length, report.failures]).toEqual(['1.2.9.9', slicesOfRound, []])
  expect(readFileSync(path.join(folder, 'gateway.log'), 'utf8')).not.toContain('failed')
})
