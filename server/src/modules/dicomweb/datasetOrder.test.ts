import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
  // Keys of digits alone: JavaScript puts them before all others.
  const elements = slice({ '20500020': text('CS', 'IDENTITY'), '40000010': text('LT', 'free text') })
  const unknown = dicomFile({ elements: slice({ '00080018': text('UI', 'not a uid') }) })
  const { statusCode, body } = await stow(server, staff, [dicomFile({ elements }), unknown])
  expect(statusCode).toBe(202)
  bodies.push(body)
})
afterAll(() => server.close())

/** The dataset's own keys, as the text has them: `JSON.parse` would put them in an order of its own. */
const keysOf = (text: string): string[] => {
  const keys: string[] = []
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?=\s*:)|[{}]/g)) {
    if (token === '{') depth += 1
    else if (token === '}') depth -= 1
    else if (depth === 1) keys.push(token)
  }
  return keys
}
const bodies: string[] = []

it('elements stand in the order of their tags, in answers to storing, searching and describing [PS3.18 F.2.2]', async () => {
  const ask = async (url: string) => {
    const reply = await server.app.inject({ url, headers: { ...staff.headers, accept: 'application/dicom+json' } })
    expect([url, reply.statusCode]).toEqual([url, 200])
    bodies.push(reply.body)
  }
  await ask('/dicom-web/studies/1.2.3/metadata')
  await ask('/dicom-web/studies?StudyInstanceUID=1.2.3&includefield=20500020')
  await ask('/dicom-web/series?includefield=40000010')
  const [stored = [], described = [], study = [], series = []] = bodies.map(keysOf)
  for (const keys of [stored, described, study, series]) expect(keys).toEqual([...keys].sort())
  expect(stored).toEqual(['"00081190"', '"00081199"', '"0008119A"'])
  expect(described).toEqual(expect.arrayContaining(['"00083002"', '"20500020"', '"40000010"', '"7FE00010"']))
  expect(study).toContain('"20500020"')
  expect(series).toContain('"40000010"')
})
