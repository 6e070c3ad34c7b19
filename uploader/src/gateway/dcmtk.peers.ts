import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { part10Start } from '@dmp/dimse/elementWriter'
import { ctClass, freePort, sliceBytes } from './deviceInTests.ts'
import { Gateway } from './Gateway.ts'
import { toGateway } from './gatewaySettings.ts'

const run = promisify(execFile)
let folder: string
let gateway: Gateway
let target: readonly string[]
let tlsPort: number

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-dcmtk-'))
  const port = await freePort()
  tlsPort = await freePort()
  const partners = [{ aeTitle: 'DCMTK', address: '127.0.0.1' }]
  gateway = new Gateway(
    path.join(folder, 'state'),
    () => undefined,
    () => undefined,
  )
  const tls = { port: tlsPort }
  await gateway.use(toGateway({ aeTitle: 'DMP_GATEWAY', port, host: '127.0.0.1', reserveGigabytes: 0, partners, tls }))
  target = ['-aet', 'DCMTK', '-aec', 'DMP_GATEWAY', '127.0.0.1', String(port)]
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

it('answers echoscu, and refuses a title that nobody named [P71]', async () => {
  await run('echoscu', [...target])
  const refused = run('echoscu', ['-aet', 'STRANGER', ...target.slice(2)])
  await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('Calling AE Title Not Recognized') })
  expect(gateway.state.callers).toMatchObject([{ aeTitle: 'STRANGER', reason: 'Unknown' }])
})

it('speaks TLS with echoscu, by the certificate that it makes itself [P71]', async () => {
  const { certificate } = gateway.state
  const sealed = [...target.slice(0, -1), String(tlsPort)]
  await run('echoscu', ['+tla', '+cf', certificate?.file ?? '', ...sealed])
  await expect(run('echoscu', ['+tla', ...sealed])).rejects.toThrow()
})

it('takes what storescu sends on several associations at once [P71]', async () => {
  const files = Array.from({ length: 12 }, (_each, at) => {
    const identity = {
      sopClassUID: ctClass,
      sopInstanceUID: `1.2.77.1.${at}`,
      transferSyntaxUID: '1.2.840.10008.1.2.1',
    }
    const file = path.join(folder, `${at}.dcm`)
    writeFileSync(file, Buffer.concat([part10Start(identity), sliceBytes(at)]))
    return file
  })
  await Promise.all([0, 4, 8].map((at) => run('storescu', [...target, ...files.slice(at, at + 4)])))
  await run('storescu', [...target, ...files.slice(0, 4)])
  expect(readdirSync(path.join(folder, 'state/received/from-DCMTK'))).toHaveLength(12)
})
