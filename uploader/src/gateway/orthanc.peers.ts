import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { part10Start } from '@dmp/dimse/elementWriter'
import { createCertificate, fingerprintOf } from './certificate.ts'
import { ctClass, freePort, sliceBytes } from './deviceInTests.ts'
import { Gateway } from './Gateway.ts'
import { toGateway } from './gatewaySettings.ts'

// Orthanc, which speaks TLS with certificates on both sides or not at all, sends to the gateway and asks it to commit.
let folder: string
let gateway: Gateway
let orthanc: Awaited<ReturnType<typeof startOrthanc>>
const ids: string[] = []
/** Takes what Orthanc sends, with TLS alone where its certificate is named. */
let letIn: (fingerprint?: string) => Promise<void>
const inbox = (): string => path.join(folder, 'state/received/from-ORTHANC')

/** Orthanc as Debian packs it, with a node of its own. */
async function startOrthanc(more: object) {
  const [port, dicomPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const configuration = {
    StorageDirectory: path.join(folder, 'orthanc'),
    HttpPort: port,
    DicomPort: dicomPort,
    AuthenticationEnabled: false,
    ...more,
  }
  writeFileSync(path.join(folder, 'orthanc.json'), JSON.stringify(configuration))
  const child = spawn('Orthanc', [path.join(folder, 'orthanc.json')], { stdio: 'ignore' })
  const ended = once(child, 'exit').then(() => 'ended')
  const isUp = (): Promise<boolean> =>
    fetch(`${url}/system`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let state = await isUp(); state !== true; state = await isUp())
    if ((await Promise.race([ended, wait(100)])) === 'ended') throw new Error('Orthanc has ended.')
  return {
    dicomPort,
    call: async <T>(place: string, body?: object): Promise<T> => {
      const content = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
      const response = await fetch(url + place, body && { method: 'POST', body: content })
      const answer = await response.text()
      if (!response.ok) throw new Error(`Orthanc: ${place}: ${response.status} ${answer}`)
      return (answer === '' ? undefined : JSON.parse(answer)) as T
    },
    close: async (): Promise<void> => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-orthanc-'))
  const own = createCertificate('orthanc')
  const file = (name: string, content: string): string => {
    writeFileSync(path.join(folder, name), content)
    return path.join(folder, name)
  }
  gateway = new Gateway(
    path.join(folder, 'state'),
    () => undefined,
    () => undefined,
  )
  const settings = { aeTitle: 'DMP_GATEWAY', port: await freePort(), host: '127.0.0.1', reserveGigabytes: 0 }
  const tls = { port: await freePort() }
  await gateway.use(toGateway({ ...settings, tls }))
  const modality = { AET: 'DMP_GATEWAY', Host: '127.0.0.1', AllowStorageCommitment: true }
  const more = {
    DicomTlsEnabled: true,
    DicomTlsCertificate: file('orthanc.pem', own.cert),
    DicomTlsPrivateKey: file('orthanc.key', own.key),
    DicomTlsTrustedCertificates: gateway.state.certificate?.file,
    DicomModalities: {
      sealed: { ...modality, Port: tls.port, UseDicomTls: true },
      plain: { ...modality, Port: settings.port, UseDicomTls: false },
    },
  }
  orthanc = await startOrthanc(more)
  const fingerprint = fingerprintOf(new X509Certificate(own.cert).raw)
  letIn = (named) => {
    const partner = { aeTitle: 'ORTHANC', address: '127.0.0.1', port: orthanc.dicomPort }
    const partners = [{ ...partner, ...(named && { fingerprint: named }) }]
    return gateway.use(toGateway({ ...settings, tls, partners }))
  }
  await letIn(fingerprint)
  for (const at of [1, 2, 3]) {
    const identity = {
      sopClassUID: ctClass,
      sopInstanceUID: `1.2.77.1.${at}`,
      transferSyntaxUID: '1.2.840.10008.1.2.1',
    }
    const object = Buffer.concat([part10Start(identity), sliceBytes(at)])
    ids.push((await orthanc.call<{ ID: string }>('/instances', object)).ID)
  }
}, 120_000)
afterAll(async () => {
  await orthanc.close()
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

it('is asked by TLS whether it is there, and refuses Orthanc without its certificate [P71]', async () => {
  await orthanc.call('/modalities/sealed/echo', {})
  await expect(orthanc.call('/modalities/plain/echo', {})).rejects.toThrow('Orthanc: /modalities/plain/echo')
  expect(gateway.state.callers).toMatchObject([{ aeTitle: 'ORTHANC', reason: 'WrongCertificate' }])
})

it('takes what Orthanc sends by TLS [P71]', async () => {
  await orthanc.call('/modalities/sealed/store', { Resources: ids, Synchronous: true })
  expect(readdirSync(inbox())).toHaveLength(ids.length)
}, 60_000)

it('commits to it by TLS, when the server has it [P71]', async () => {
  const { ID } = await orthanc.call<{ ID: string }>('/modalities/sealed/storage-commitment', { Resources: ids })
  expect(await orthanc.call(`/storage-commitment/${ID}`)).toMatchObject({ Status: 'Pending' })
  for (const name of readdirSync(inbox())) gateway.settle(path.join(inbox(), name), 'stored')
  let report: { Status: string; Success: unknown[] } = { Status: 'Pending', Success: [] }
  while (report.Status === 'Pending') report = await orthanc.call(`/storage-commitment/${ID}`)
  expect(report).toMatchObject({ Status: 'Success' })
  expect(report.Success).toHaveLength(ids.length)
}, 60_000)

it('takes what Orthanc sends without TLS, where no certificate is named [P71]', async () => {
  await letIn()
  await orthanc.call('/modalities/plain/store', { Resources: ids, Synchronous: true })
  expect(readdirSync(inbox())).toHaveLength(ids.length)
}, 60_000)
