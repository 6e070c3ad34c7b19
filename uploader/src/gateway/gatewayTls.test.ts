import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { createServer, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { status } from '@dmp/dimse'
import { createCertificate } from './certificate.ts'
import { askCommitment, dial, freePort, openReports, store } from './deviceInTests.ts'
import { Gateway } from './Gateway.ts'
import { toGateway } from './gatewaySettings.ts'

let folder: string
let gateway: Gateway
let port: number
let tlsPort: number
let log: string[]

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-tls-'))
  log = []
  gateway = new Gateway(
    folder,
    () => undefined,
    (sentence) => void log.push(sentence),
  )
  port = await freePort()
  tlsPort = await freePort()
})
afterEach(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

const use = async (partner: object = {}, tls: object = {}): Promise<void> => {
  const partners = [{ aeTitle: 'CT_ROOM3', address: '127.0.0.1', ...partner }]
  const settings = { aeTitle: 'DMP_GATEWAY', port, host: '127.0.0.1', reserveGigabytes: 0, partners }
  await gateway.use(toGateway({ ...settings, tls: { port: tlsPort, ...tls } }))
}
const pem = (name: string, content: string): string => {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}
const fingerprint = (cert: string): string => new X509Certificate(cert).fingerprint256
const dialTls = (options: ConnectionOptions) => dial(tlsPort, 'CT_ROOM3', 'DMP_GATEWAY', options)
/** As a device that was given the gateway's certificate, and believes nothing else. */
const trusting = (): ConnectionOptions => ({
  ca: readFileSync(gateway.state.certificate?.file ?? ''),
  servername: hostname(),
})

describe('the gateway with TLS', () => {
  it('makes a certificate of its own once, by which a device knows it, and takes what comes sealed and plain [P71]', async () => {
    await use()
    expect(gateway.state).toMatchObject({ isListening: true, problem: undefined })
    const sealed = await dialTls(trusting())
    expect(await store(sealed, 1)).toBe(status.success)
    await sealed.release()
    const plain = await dial(port)
    expect(await store(plain, 2)).toBe(status.success)
    await plain.release()
    expect(gateway.state.waiting).toBe(2)
    const { certificate } = gateway.state
    await gateway.use(undefined)
    expect(gateway.state.certificate).toBeUndefined()
    await use()
    expect(gateway.state.certificate).toEqual(certificate)
    expect(certificate?.fingerprint).toBe(fingerprint(readFileSync(certificate?.file ?? '', 'utf8')))
    if (process.platform !== 'win32') expect(statSync(path.join(folder, 'gateway/key.pem')).mode & 0o777).toBe(0o600)
  })

  it('lets a partner with a named certificate in with that alone, and says so of the others [P71]', async () => {
    const [known, other] = [createCertificate('ct'), createCertificate('ct')]
    await use({ fingerprint: fingerprint(known.cert) })
    await expect(dial(port)).rejects.toThrow('rejected (1, 1, 3)')
    await expect(dialTls(trusting())).rejects.toThrow('rejected (1, 1, 3)')
    await expect(dialTls({ ...trusting(), ...other })).rejects.toThrow('rejected (1, 1, 3)')
    expect(gateway.state.callers).toMatchObject([{ aeTitle: 'CT_ROOM3', reason: 'WrongCertificate', times: 3 }])
    const association = await dialTls({ ...trusting(), ...known })
    expect(await store(association, 1)).toBe(status.success)
    await association.release()
  })

  it('shows the certificate that was given, and speaks with nobody whose authority is another one [P71]', async () => {
    const [own, device, stranger] = [createCertificate('gw'), createCertificate('ct'), createCertificate('ct')]
    const authoritiesFile = pem('ca.pem', device.cert)
    await use({}, { certificateFile: pem('own.pem', own.cert), keyFile: pem('own.key', own.key), authoritiesFile })
    const trust = { ca: own.cert, servername: 'gw' }
    const association = await dialTls({ ...trust, ...device })
    expect(await store(association, 1)).toBe(status.success)
    await association.release()
    await expect(dialTls({ ...trust, ...stranger })).rejects.toThrow()
    await expect(dialTls(trust)).rejects.toThrow()
    expect(gateway.state).toMatchObject({ waiting: 1, callers: [] })
    expect(log.filter((sentence) => sentence.includes('TLS failed'))).toHaveLength(2)
  })

  it('reports a commitment by TLS, to the device with the named certificate and to no other [P71]', async () => {
    const [device, stranger] = [createCertificate('ct'), createCertificate('ct')]
    const reports = await openReports(device)
    await use({ fingerprint: fingerprint(device.cert), port: reports.port })
    const association = await dialTls({ ...trusting(), ...device })
    await store(association, 1)
    expect(await askCommitment(association, '1.2.9.3', [1])).toBe(status.success)
    await association.release()
    const elsewhere = createServer(stranger).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    let heard = 0
    elsewhere.on('secureConnection', (line) => line.on('data', ({ length }: Buffer) => (heard += length)))
    // Left before or after the other end is through with the handshake.
    const left = Promise.race([
      once(elsewhere, 'tlsClientError'),
      once(elsewhere, 'secureConnection').then(([line]) => once(line as TLSSocket, 'close')),
    ])
    await use({ fingerprint: fingerprint(device.cert), port: (elsewhere.address() as AddressInfo).port })
    const inbox = path.join(folder, 'received/from-CT_ROOM3')
    for (const name of readdirSync(inbox)) gateway.settle(path.join(inbox, name), 'stored')
    await left
    expect(heard).toBe(0)
    elsewhere.close()
    await use({ fingerprint: fingerprint(device.cert), port: reports.port })
    expect(await reports.next()).toMatchObject({ transactionUID: '1.2.9.3', failures: [], references: [{}] })
    reports.close()
  })

  it('says what is wrong with a certificate, and listens nowhere then [P71]', async () => {
    await use({}, { certificateFile: pem('own.pem', 'nothing'), keyFile: pem('own.key', 'nothing') })
    expect(gateway.state).toMatchObject({
      isListening: false,
      problem: expect.stringMatching(/^The certificate of the gateway cannot be used: /) as string,
    })
  })
})

it.each(['2026-11-26', '2041-01-01'])('makes certificates of %s that hold for ten years [P71]', (day) => {
  const now = new Date(day)
  const { cert, key } = createCertificate('gateway.clinic.example', now)
  const made = new X509Certificate(cert)
  expect([made.verify(made.publicKey), made.checkHost('gateway.clinic.example')]).toEqual([
    true,
    'gateway.clinic.example',
  ])
  expect(made.subject).toBe('CN=gateway.clinic.example')
  expect(made.validFromDate.getTime()).toBe(now.getTime() - 86_400_000)
  expect(made.validToDate.getUTCFullYear()).toBe(now.getUTCFullYear() + 10)
  expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/)
})
