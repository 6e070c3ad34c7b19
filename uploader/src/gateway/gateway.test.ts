import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { commandField, status, type Context } from '@dmp/dimse'
import {
  askCommitment,
  ctClass,
  dial,
  echo,
  freePort,
  openReports,
  readReport,
  sliceBytes,
  store,
} from './deviceInTests.ts'
import { Control } from '../Control.ts'
import { Gateway } from './Gateway.ts'
import { toGateway, type GatewaySettings } from './gatewaySettings.ts'
import { openGateway } from './openGateway.ts'
import { toFolderName } from './Spool.ts'

let folder: string
let gateway: Gateway
let settings: GatewaySettings
let received: number

const open = async (more: Record<string, unknown> = {}): Promise<void> => {
  settings = toGateway({
    aeTitle: 'DMP_GATEWAY',
    port: await freePort(),
    host: '127.0.0.1',
    reserveGigabytes: 0,
    partners: [{ aeTitle: 'CT_ROOM3', address: '127.0.0.1' }],
    ...more,
  })!
  gateway = new Gateway(
    folder,
    () => (received += 1),
    () => undefined,
  )
  await gateway.use(settings)
}
const inbox = (): string => path.join(folder, 'received', 'from-CT_ROOM3')
const files = (): string[] => readdirSync(inbox())
const settleAll = (outcome: 'stored' | 'refused'): void =>
  files().forEach(
    (name) => void gateway.settle(path.join(inbox(), name), outcome, false, { reason: 'It is not for us.' }),
  )

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-'))
  received = 0
  await open()
})
afterEach(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the gateway', () => {
  it('says success when an object is whole on the disk, once however often it comes [P71]', async () => {
    const association = await dial(settings.port)
    expect(await echo(association)).toBe(status.success)
    expect([await store(association, 1), await store(association, 1), await store(association, 2)]).toEqual([0, 0, 0])
    expect(files().map((name) => name.split('_').slice(0, 2))).toEqual([
      ['1.2.77.1.1', ctClass],
      ['1.2.77.1.2', ctClass],
    ])
    const content = readFileSync(path.join(inbox(), files()[0]!))
    expect(content.toString('latin1', 128, 132)).toBe('DICM')
    expect(content.subarray(content.length - sliceBytes(1).length)).toEqual(sliceBytes(1))
    expect(gateway.state).toMatchObject({ waiting: 2, partners: [{ aeTitle: 'CT_ROOM3', received: 3, waiting: 2 }] })
    expect(received).toBe(3)
    await association.release()
  })

  it('keeps nothing of an object that breaks off, and tells its device nothing [P71]', async () => {
    const association = await dial(settings.port)
    async function* half() {
      yield sliceBytes(1).subarray(0, 300)
      association.abort()
      yield Buffer.alloc(0)
    }
    await expect(
      association.request(
        [...association.contexts.values()][1]!,
        { field: 1, sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1', priority: 0 },
        half(),
      ),
    ).rejects.toThrow()
    const after = await dial(settings.port)
    await store(after, 2)
    expect(gateway.state.waiting).toBe(1)
    await after.release()
  })

  it('refuses and lists whom nobody named, from elsewhere, or to another title [P71]', async () => {
    await expect(dial(settings.port, 'STRANGER')).rejects.toThrow('rejected (1, 1, 3)')
    await expect(dial(settings.port, 'CT_ROOM3', 'OTHER')).rejects.toThrow('rejected (1, 1, 7)')
    expect(gateway.state.callers).toMatchObject([
      { aeTitle: 'CT_ROOM3', calledTitle: 'OTHER', reason: 'WrongTitle', address: '127.0.0.1', times: 1 },
      { aeTitle: 'STRANGER', reason: 'Unknown', times: 1 },
    ])
    await gateway.use({ ...settings, partners: [{ aeTitle: 'STRANGER', address: '127.0.0.2', port: undefined }] })
    await expect(dial(settings.port, 'STRANGER')).rejects.toThrow('rejected (1, 1, 3)')
    expect(gateway.state.callers[0]).toMatchObject({ aeTitle: 'STRANGER', reason: 'WrongAddress', times: 2 })
    await gateway.use({ ...settings, partners: [{ aeTitle: 'STRANGER', address: '127.0.0.1', port: undefined }] })
    expect(gateway.state.callers.map(({ aeTitle }) => aeTitle)).toEqual(['CT_ROOM3'])
    const association = await dial(settings.port, 'STRANGER')
    expect(await store(association, 1)).toBe(status.success)
    await association.release()
  })

  it('stops at its reserve with a status that devices try again with, and says so [P71]', async () => {
    await gateway.use({ ...settings, reserveGigabytes: 100_000 })
    const association = await dial(settings.port)
    expect(await store(association, 1)).toBe(status.outOfResources)
    expect(gateway.state).toMatchObject({ isFull: true, waiting: 0 })
    await gateway.use({ ...settings, reserveGigabytes: 0 })
    expect(await store(association, 1)).toBe(status.success)
    expect(gateway.state).toMatchObject({ isFull: false, waiting: 1 })
    await association.release()
  })

  it('commits to what the server has, says what it never saw, and waits for what is under way [P71]', async () => {
    const association = await dial(settings.port)
    await store(association, 1)
    expect(await askCommitment(association, '1.2.9.1', [1])).toBe(status.processingFailure)
    settleAll('stored')
    expect(await askCommitment(association, '1.2.9.2', [1, 7])).toBe(status.success)
    expect(await readReport(association)).toEqual({
      transactionUID: '1.2.9.2',
      references: [{ sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1' }],
      failures: [{ sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.7', reason: status.noSuchInstance }],
    })
    await association.release()
  })

  it('reports a commitment later, on a line of its own, also after a restart [P71]', async () => {
    const reports = await openReports()
    const partners = [{ aeTitle: 'CT_ROOM3', address: '127.0.0.1', port: reports.port }]
    await gateway.use({ ...settings, partners })
    const association = await dial(settings.port)
    await store(association, 1)
    expect(await askCommitment(association, '1.2.9.3', [1])).toBe(status.success)
    await association.release()
    expect(gateway.state.commitments).toBe(1)
    await gateway.close()
    await open({ partners })
    expect(gateway.state).toMatchObject({ commitments: 1, waiting: 1 })
    settleAll('stored')
    expect(await reports.next()).toMatchObject({ transactionUID: '1.2.9.3', failures: [], references: [{}] })
    // Once is enough, whatever happens to the gateway.
    await gateway.close()
    await open({ partners })
    expect(gateway.state.commitments).toBe(0)
    reports.close()
  })

  it('keeps what the server refused, and what an end in the middle left is gone [P71]', async () => {
    const association = await dial(settings.port)
    await store(association, 1)
    await association.release()
    settleAll('refused')
    expect(gateway.state.waiting).toBe(0)
    const [kept = '', ...others] = readdirSync(path.join(folder, 'refused', 'from-CT_ROOM3'))
    expect(others).toEqual([])
    const control = new Control()
    await (await openGateway(folder, undefined, control)).close()
    expect(control.progress.counts.refused).toBe(1)
    expect(control.progress.failures).toMatchObject([
      { path: path.join(folder, 'refused', 'from-CT_ROOM3', kept), reason: 'It is not for us.', isFinal: true },
    ])
    await gateway.close()
    mkdirSync(inbox(), { recursive: true })
    writeFileSync(path.join(inbox(), '.unfinished'), 'half')
    await open()
    expect([files(), gateway.state.waiting]).toEqual([[], 0])
  })

  it('has a few lines for each address, and takes one again when another has left [P71]', async () => {
    const lines = await Promise.all(Array.from({ length: 8 }, () => dial(settings.port)))
    await expect(dial(settings.port)).rejects.toThrow('over')
    await lines[0]?.release()
    let again: Awaited<ReturnType<typeof dial>> | undefined
    while (!again) again = await dial(settings.port).catch(() => undefined)
    expect(await echo(again)).toBe(status.success)
    for (const line of [...lines, again]) line.abort()
  })

  it('does nothing that does not belong to the context in which it is asked for [P71]', async () => {
    const association = await dial(settings.port)
    const [verifying, storing] = [...association.contexts.values()]
    const ask = async (context: Context | undefined, field: number) =>
      (await association.request(context!, { field, sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1' })).status
    for (const field of [commandField.echoRequest, commandField.actionRequest, commandField.findRequest])
      expect(await ask(storing, field)).toBe(status.unrecognizedOperation)
    expect(await ask(verifying, commandField.storeRequest)).toBe(status.noSuchClass)
    expect(await store(association, 1)).toBe(status.success)
    await association.release()
  })

  it('refuses an object that its command does not name, and takes the next one [P71]', async () => {
    const association = await dial(settings.port)
    const context = [...association.contexts.values()][1]!
    for (const sopInstanceUID of ['', '..', '1.2/3'])
      expect(
        await association.request(
          context,
          { field: commandField.storeRequest, sopClassUID: ctClass, sopInstanceUID, priority: 0 },
          sliceBytes(1),
        ),
      ).toMatchObject({ status: status.identifierMismatch, comment: 'The command names no object.' })
    expect([await store(association, 2), gateway.state.waiting]).toEqual([status.success, 1])
    await association.release()
  })

  it('says that it could not keep an object, writes down why, and takes the next one [P71]', async () => {
    const kept: string[] = []
    await gateway.close()
    gateway = new Gateway(
      folder,
      () => undefined,
      (line) => kept.push(line),
    )
    await gateway.use(settings)
    const association = await dial(settings.port)
    jest.spyOn(gateway.spool, 'keep').mockRejectedValueOnce(new Error('EIO: the disk has failed'))
    expect(await store(association, 1)).toBe(status.processingFailure)
    expect(kept.at(-1)).toBe('The gateway failed: EIO: the disk has failed')
    expect(await store(association, 2)).toBe(status.success)
    await association.release()
  })

  it('commits to what the server had before, too [P71]', async () => {
    const association = await dial(settings.port)
    await store(association, 1)
    await store(association, 2)
    const [first = '', second = ''] = files()
    gateway.settle(path.join(inbox(), first), 'duplicate')
    // The server has a copy of it alone.
    gateway.settle(path.join(inbox(), second), 'duplicate', true)
    expect(await askCommitment(association, '1.2.9.1', [1])).toBe(status.success)
    expect(await readReport(association)).toMatchObject({ failures: [] })
    expect(await askCommitment(association, '1.2.9.2', [2])).toBe(status.success)
    expect((await readReport(association)).failures).toHaveLength(1)
    await association.release()
  })

  it('says which port is taken, and goes on with another one [P71]', async () => {
    const other = new Gateway(
      path.join(folder, 'other'),
      () => undefined,
      () => undefined,
    )
    await other.use(settings)
    expect(other.state).toMatchObject({ isListening: false, problem: expect.stringContaining('EADDRINUSE') as string })
    await other.use({ ...settings, port: await freePort() })
    expect(other.state).toMatchObject({ isListening: true, problem: undefined })
    await other.close()
  })
})

it('makes names of AE titles that no file system takes for something else [P71]', () => {
  expect(['CT 1', '..', 'CON', 'a/b', 'A:B'].map(toFolderName)).toEqual([
    'from-CT%201',
    'from-%2e%2e',
    'from-CON',
    'from-a%2fb',
    'from-A%3aB',
  ])
})

it.each([
  [{ port: 11112 }, /AE title/],
  [{ aeTitle: 'GATEWAY_WITH_A_LONG_NAME', port: 11112 }, /AE title/],
  [{ aeTitle: 'G', port: 0 }, /port/],
  [{ aeTitle: 'G', port: 104, host: 'here' }, /host/],
  [{ aeTitle: 'G', port: 104, reserveGigabytes: -1 }, /reserveGigabytes/],
  [{ aeTitle: 'G', port: 104, partners: [{ aeTitle: 'A' }, { aeTitle: 'A' }] }, /Two partners/],
  [{ aeTitle: 'G', port: 104, partners: [{ aeTitle: 'A', address: 'ct3' }] }, /address/],
  [{ aeTitle: 'G', port: 104, partners: [{ aeTitle: 'A', port: 104 }] }, /needs its address/],
  [{ aeTitle: 'G', port: 104, partners: [{ aeTitle: 'A', fingerprint: 'AB:CD' }] }, /fingerprint/],
  [{ aeTitle: 'G', port: 104, tls: { port: 104 } }, /port of its own/],
  [{ aeTitle: 'G', port: 104, tls: { port: 2762, certificateFile: '/c.pem' } }, /and "keyFile"/],
  [{ aeTitle: 'G', port: 104, tls: { port: 2762, authoritiesFile: 'ca.pem' } }, /whole path/],
  [{ aeTitle: 'G', port: 104, tls: { port: 2762, ca: '/ca.pem' } }, /"ca" that does not exist/],
  [{ aeTitle: 'G', port: 104, partner: [] }, /"partner" that does not exist/],
  ['yes', /should be/],
])('says what is wrong with the settings %j [P71]', (value, sentence) => {
  expect(() => toGateway(value)).toThrow(sentence)
})
