import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'
import { FreezableLine } from './testing/FreezableLine.ts'

let s3: S3Server
let line: FreezableLine
let server: TestServer
let staff: SignedIn

beforeAll(async () => {
  s3 = await startS3Server('hanging/')
  line = new FreezableLine(new URL(s3.location.endpoint))
  const endpoint = await line.listen()
  server = await startServer({ ...s3.variables, DMP_S3_ENDPOINT: endpoint })
  staff = await server.signIn('staff')
})
afterAll(async () => {
  await server.close()
  line.close()
  await s3.close()
})

const object = (number: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.97.1.${number}`),
      '0020000D': text('UI', '1.97'),
      '0020000E': text('UI', '1.97.1'),
    }),
  })
const read = () =>
  server.app.inject({
    url: '/dicom-web/studies/1.97/series/1.97.1/instances/1.97.1.1',
    headers: { ...staff.headers, accept: 'application/dicom' },
  })

it('answers with 503 within 10 s while a bucket hangs, says why in the log, and goes on with it [P21]', async () => {
  expect((await stow(server, staff, [object(1)])).statusCode).toBe(200)
  line.freeze()
  const began = performance.now()
  const answers = await Promise.all([stow(server, staff, [object(2)]), read(), server.app.inject('/readyz')])
  // 8 s of waiting; the rest is for a busy machine.
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503])
  const causes = server.logs.filter((text) => text.includes('a dependency failed'))
  expect(causes.join('')).toContain('does not respond (TimeoutError)')

  line.thaw()
  expect((await read()).statusCode).toBe(200)
  expect((await stow(server, staff, [object(2)])).statusCode).toBe(200)
})
