import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-uploaders-'))
mkdirSync(join(folder, 'linux'))
writeFileSync(join(folder, 'linux', 'dmp-uploader'), 'a program')

let server: TestServer
let staff: SignedIn
let organizationId: string
beforeAll(async () => {
  server = await startServer({ DMP_UPLOADERS: folder })
  staff = await server.signIn('staff')
  organizationId = await server.organizationOf(staff)
})
afterAll(() => server.close())

const ask = (platform: 'windows' | 'linux', of = organizationId) =>
  staff.call(scan.getUploader, { organizationId: of, platform })
const open = (platform: string) => server.app.inject(`/downloads/uploader/${platform}`)

describe('the uploader [7.38, 2.41]', () => {
  it('is handed out as a file by the address that the call answers, to whoever has the address', async () => {
    const { url } = (await ask('linux')).data
    const file = await server.app.inject(new URL(url).pathname)
    expect([file.statusCode, file.body]).toEqual([200, 'a program'])
    expect(file.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '9',
      'content-disposition': 'attachment; filename="dmp-uploader"',
      'x-content-type-options': 'nosniff',
    })
  })

  it('has its size and checksum, with its address and in SHA256SUMS beside it, also once it was built anew', async () => {
    const checked = mkdtempSync(join(tmpdir(), 'dmp-downloaded-'))
    for (const content of ['a program', 'the next one']) {
      writeFileSync(join(folder, 'linux', 'dmp-uploader'), content)
      const { fileName = '', size, sha256 = '' } = (await ask('linux')).data
      const sums = await open('SHA256SUMS')
      expect([sums.statusCode, sums.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
      expect([size, sums.body]).toEqual([content.length, `${sha256}  ${fileName}\n`])
      writeFileSync(join(checked, fileName), (await open('linux')).rawPayload)
      const said = execFileSync('sha256sum', ['--check'], { cwd: checked, input: sums.body, encoding: 'utf8' })
      expect(said).toBe('dmp-uploader: OK\n')
    }
    rmSync(checked, { recursive: true })
  })

  it('that was not made says what to do in place of an address, and its file is not there', async () => {
    const refusedReply = await ask('windows')
    expect([refusedReply.status, refusedReply.code]).toEqual([503, 'NO_UPLOADER'])
    expect(refusedReply.message).toMatch(/npm run build:uploader/)
    expect((await open('windows')).statusCode).toBe(404)
  })

  it('is there for no other platform, and for no other organization [P02]', async () => {
    for (const other of ['mac', 'linux%2f..%2flinux']) expect((await open(other)).statusCode).toBe(404)
    const stranger = organizationId === southClinic.id ? northClinic.id : southClinic.id
    expect((await ask('linux', stranger)).status).toBe(404)
  })
})
