import { setTimeout as waitFor } from 'node:timers/promises'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { PictureRenderer } from '../../../dicom/pictureRenderer.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const series = (study: string, n: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${study}.${n}.1`),
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.${n}`),
    }),
  })

it('thumbnails of one customer’s uploads hold up those of no other [P18]', async () => {
  const north = await server.signIn('staff')
  const south = await server.signIn('admin@south.example')
  const drawn: string[] = []
  const opened = Promise.withResolvers<void>()
  const drawPicture = PictureRenderer.prototype.draw
  const draw = jest.spyOn(PictureRenderer.prototype, 'draw').mockImplementation(async function (
    this: PictureRenderer,
    request,
  ) {
    drawn.push(request.owner.organizationId)
    await opened.promise
    return drawPicture.call(this, request)
  })
  const ofNorth = [1, 2, 3].map((n) => series('1.2.71', n))
  const [northId, southId] = [await server.organizationOf(north), await server.organizationOf(south)]
  expect((await stow(server, north, ofNorth)).statusCode).toBe(200)
  // Nothing that has begun can end before both have begun.
  while (!drawn.includes(northId)) await waitFor(20)
  expect((await stow(server, south, [series('1.2.72', 1)])).statusCode).toBe(200)
  while (!drawn.includes(southId)) await waitFor(20)
  expect(drawn.toSorted()).toEqual([northId, southId].toSorted())
  opened.resolve()
  draw.mockRestore()
})

it('thumbnails that nobody asked for yet do not keep a server from ending [P40]', async () => {
  const ending = await startServer()
  const opened = Promise.withResolvers<void>()
  const drawPicture = PictureRenderer.prototype.draw
  let begun = 0
  const draw = jest.spyOn(PictureRenderer.prototype, 'draw').mockImplementation(async function (
    this: PictureRenderer,
    request,
  ) {
    begun += 1
    await opened.promise
    return drawPicture.call(this, request)
  })
  const many = Array.from({ length: 20 }, (_, n) => series('1.2.73', n + 1))
  expect((await stow(ending, await ending.signIn('staff'), many)).statusCode).toBe(200)
  while (begun === 0) await waitFor(20)
  const closing = ending.close()
  opened.resolve()
  await closing
  draw.mockRestore()
  // What it drew already, and perhaps one that had its turn before the server heard of its end.
  expect(begun).toBeLessThanOrEqual(2)
})
