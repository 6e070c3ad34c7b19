import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { scan } from '@dmp/contract'
import { sql } from 'kysely'
import sharp from 'sharp'
import { PictureRoom, TooManyPictures } from '../../dicom/picture.ts'
import { sampleObjects } from '../../dicom/sampleObjects.ts'
import {
  dicomFile,
  encapsulated,
  datasetBytes,
  slice,
  text,
  u16,
  type Elements,
} from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let staff: SignedIn
let provider: SignedIn

const EXPLICIT = '1.2.840.10008.1.2.1'
const path = (uid: string) => `/dicom-web/studies/1.80/series/1.80.1/instances/${uid}`
const get = (url: string, accept = 'application/octet-stream', who = staff) =>
  server.app.inject({ url, headers: { ...who.headers, accept } })
const object = (uid: string, changes: Elements = {}): Elements =>
  slice({ '00080018': text('UI', uid), '0020000D': text('UI', '1.80'), '0020000E': text('UI', '1.80.1'), ...changes })
const compressed = (uid: string, frames: number, fragments: readonly Buffer[], table: readonly number[]): Buffer => {
  const { '7FE00010': _pixels, ...header } = object(uid, { '00280008': text('IS', String(frames)) })
  return dicomFile({
    transferSyntaxUID: '1.2.840.10008.1.2.4.50',
    sopInstanceUID: uid,
    dataset: Buffer.concat([datasetBytes(header), encapsulated(fragments, table)]),
  })
}

/** Three frames of eight bits, of one and the same number each. */
const counted = Buffer.concat([1, 2, 3].map((number) => Buffer.alloc(16, number)))
/** Nine bits a frame, without a gap between them: the first is empty, the second is a cross, the third is full. */
const bits = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
const packed = (all: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(Math.ceil(all.length / 8))
  all.forEach((bit, index) => (bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7))))
  return bytes
}
const [first, second, third] = ['one', 'two!', 'three!'].map((word) => Buffer.from(`${word}.`.padEnd(8))) as [
  Buffer,
  Buffer,
  Buffer,
]
const hidden = Buffer.alloc(5000, 'behind')
/** Three frames that are dark above and bright below, or the other way round. */
const halves = (isDarkAbove: boolean): Buffer =>
  Buffer.alloc(48, Buffer.concat([Buffer.alloc(8, isDarkAbove ? 0 : 255), Buffer.alloc(8, isDarkAbove ? 255 : 0)]))
/** Without a picture. */
const report = Object.fromEntries(
  Object.entries(
    object('1.82.1.1', {
      '00100010': text('PN', 'Other^Olga'),
      '0020000D': text('UI', '1.82'),
      '0020000E': text('UI', '1.82.1'),
    }),
  ).filter(([tag]) => !/^(?:0028|7FE0)/.test(tag)),
)

beforeAll(async () => {
  server = await startServer()
  ;[staff, provider] = await Promise.all([server.signIn('staff'), server.signIn('super_admin')])
  const palette = sampleObjects()
    .filter((file) => basename(file).startsWith('US-PAL'))
    .map((file) => readFileSync(file))
  const eight = { '00280100': u16(8), '00280101': u16(8), '00280102': u16(7), '00280008': text('IS', '3') }
  const one = {
    '00280100': u16(1),
    '00280101': u16(1),
    '00280102': u16(0),
    '00280008': text('IS', '3'),
    '00280010': u16(3),
    '00280011': u16(3),
  }
  const reply = await stow(server, staff, [
    ...palette,
    dicomFile({ elements: object('1.80.1.1', { ...eight, '7FE00010': { vr: 'OB', value: counted } }) }),
    dicomFile({ elements: object('1.80.1.2', { ...one, '7FE00010': { vr: 'OB', value: packed(bits) } }) }),
    compressed('1.80.1.3', 2, [first, second, third], [0, 2 * 16]),
    dicomFile({ elements: report }),
    ...['1.83.1', '1.83.2'].map((series, index) =>
      dicomFile({
        elements: object(`${series}.1`, {
          ...eight,
          '00100010': text('PN', 'Other^Olga'),
          '0020000D': text('UI', '1.83'),
          '0020000E': text('UI', series),
          '7FE00010': { vr: 'OB', value: halves(index === 0) },
        }),
      }),
    ),
    dicomFile({
      elements: object('1.80.1.4', { '00081140': [{}, { '00082112': [{ '00282000': { vr: 'OB', value: hidden } }] }] }),
    }),
  ])
  expect(reply.statusCode).toBe(200)
})
afterAll(() => server.close())

describe('frames of one object', () => {
  it('are given out one by one, and no others [7.42]', async () => {
    for (const frame of [1, 2, 3])
      expect((await get(`${path('1.80.1.1')}/frames/${frame}`)).rawPayload).toEqual(Buffer.alloc(16, frame))
    expect((await get(`${path('1.80.1.1')}/frames/4`)).statusCode).toBe(404)
  })

  it('of single bits begin where the one before ends, within a byte [7.42]', async () => {
    for (const frame of [1, 2, 3])
      expect([frame, (await get(`${path('1.80.1.2')}/frames/${frame}`)).rawPayload]).toEqual([
        frame,
        packed(bits.slice((frame - 1) * 9, frame * 9)),
      ])
  })

  it('in several fragments begin where the offset table says [7.42]', async () => {
    expect((await get(`${path('1.80.1.3')}/frames/1`)).rawPayload).toEqual(Buffer.concat([first, second]))
    expect((await get(`${path('1.80.1.3')}/frames/2`)).rawPayload).toEqual(third)
  })

  it('come several at once as parts of one answer, with their own addresses', async () => {
    const reply = await get(`${path('1.80.1.1')}/frames/3,1`, '*/*')
    const boundary = /boundary=(\S+)/.exec(String(reply.headers['content-type']))?.[1] ?? ''
    const part = (frame: number) =>
      `--${boundary}\r\nContent-Type: application/octet-stream; transfer-syntax=${EXPLICIT}\r\nContent-Location: ${path('1.80.1.1')}/frames/${frame}\r\n\r\n${String.fromCharCode(frame).repeat(16)}\r\n`
    expect(reply.body).toBe(`${part(3)}${part(1)}--${boundary}--\r\n`)
  })

  it('are given out in whatever order and number one address can name', async () => {
    const reply = await get(`${path('1.80.1.1')}/frames/${'1,2,'.repeat(520)}3`, '*/*')
    expect([reply.statusCode, reply.body.match(/Content-Location/g)?.length]).toEqual([200, 1041])
  })

  it('come several at once also to whoever asks for the one form that they are stored in', async () => {
    const reply = await get(`${path('1.80.1.1')}/frames/1,2`)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('multipart/related'),
    ])
    expect(reply.rawPayload.includes(Buffer.alloc(16, 2))).toBe(true)
  })

  it('are not given out in a form that they are not stored in', async () => {
    for (const [syntax, status] of [
      [EXPLICIT, 200],
      ['*', 200],
      ['1.2.840.10008.1.2.4.50', 406],
    ] as const) {
      expect([
        syntax,
        (await get(`${path('1.80.1.1')}/frames/1`, `application/octet-stream; transfer-syntax=${syntax}`)).statusCode,
      ]).toEqual([syntax, status])
    }
  })
})

describe('objects', () => {
  const series = '/dicom-web/studies/1.80/series/1.80.1'
  const held = (body: string) =>
    ['1.80.1.1', '1.80.1.2', '1.80.1.3', '1.80.1.4'].filter((uid) => body.includes(`/instances/${uid}\r\n`))

  it('of a series come all, whatever is asked for, and those of a transfer syntax where one is', async () => {
    const all = await get(series, 'application/dicom')
    expect([all.headers['content-type'], held(all.body)]).toEqual([
      expect.stringContaining('multipart/related'),
      ['1.80.1.1', '1.80.1.2', '1.80.1.3', '1.80.1.4'],
    ])
    const of = async (syntax: string) =>
      held((await get(series, `multipart/related; type="application/dicom"; transfer-syntax=${syntax}`)).body)
    expect([await of('1.2.840.10008.1.2.4.50'), await of('1.2.840.10008.1.2.5'), (await of('*')).length]).toEqual([
      ['1.80.1.3'],
      [],
      4,
    ])
  })

  it('are not given out as pages or pictures, nor is what they say', async () => {
    expect([
      (await get(series, 'text/html')).statusCode,
      (await get(`${series}/metadata`, 'image/jpeg')).statusCode,
    ]).toEqual([406, 406])
  })

  it('say where their pixels are, if they have any', async () => {
    const pixels = async (url: string) =>
      (await get(`${url}/metadata`, 'application/dicom+json'))
        .json<Record<string, unknown>[]>()
        .map((one) => '7FE00010' in one)
    expect([await pixels(path('1.80.1.1')), await pixels('/dicom-web/studies/1.82')]).toEqual([[true], [false]])
  })

  it('are all there, however many a series has', async () => {
    // As uploads write them, but at once.
    await sql`insert into instances (organization_id, sop_instance_uid, series_uid, study_uid, sop_class_uid,
    transfer_syntax_uid, instance_number, images, sha256, byte_size, object_key, header)
      select organization_id, sop_instance_uid || '.' || n, series_uid, study_uid, sop_class_uid, transfer_syntax_uid,
      n, images, sha256, byte_size, object_key, header
      from instances, generate_series(1, 200) n where sop_instance_uid = '1.82.1.1'`.execute(server.deps.db)
    expect((await get('/dicom-web/studies/1.82/metadata', 'application/dicom+json')).json<unknown[]>()).toHaveLength(
      201,
    )
    await server.deps.db
      .deleteFrom('instances')
      .where('series_uid', '=', '1.82.1')
      .where('sop_instance_uid', '<>', '1.82.1.1')
      .execute()
  })
})

it('a large value is given out by its path, however deep it lies', async () => {
  const [header] = (await get(`${path('1.80.1.4')}/metadata`, 'application/dicom+json')).json<
    Record<string, { Value: Record<string, { Value: Record<string, { BulkDataURI: string }>[] }>[] }>[]
  >()
  const address = header?.['00081140']?.Value[1]?.['00082112']?.Value[0]?.['00282000']?.BulkDataURI ?? ''
  expect(address).toBe(`${path('1.80.1.4')}/bulkdata/00081140-1-00082112-0-00282000`)
  expect((await get(address)).rawPayload).toEqual(hidden)
  expect((await get(address.replace('-1-', '-0-'))).statusCode).toBe(404)
  // Tags are written in one way (PS3.18, F.2.2).
  const statusOf = async (tag: string) => (await get(`${path('1.80.1.4')}/bulkdata/${tag}`)).statusCode
  expect([await statusOf('0020000D'), await statusOf('0020000d')]).toEqual([200, 404])
})

describe('pictures', () => {
  it('are drawn for whoever may look, and never larger than they are', async () => {
    const drawn = await get(`${path('1.80.1.1')}/rendered?viewport=500,500`, 'image/jpeg')
    expect(drawn.statusCode).toBe(200)
    expect(await sharp(drawn.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 4, height: 4 })
    for (const frames of ['0', '1,2', 'x'])
      expect((await get(`${path('1.80.1.1')}/frames/${frames}/rendered`, 'image/jpeg')).statusCode).toBe(400)
  })

  it('are of the series that is asked for, and of a study the first', async () => {
    const study = '/dicom-web/studies/1.83'
    const whole = await get(`${study}/thumbnail`, 'image/jpeg')
    const [one, two] = [
      await get(`${study}/series/1.83.1/thumbnail`, 'image/jpeg'),
      await get(`${study}/series/1.83.2/thumbnail`, 'image/jpeg'),
    ]
    expect([
      one.statusCode,
      two.statusCode,
      whole.rawPayload.equals(one.rawPayload),
      two.rawPayload.equals(one.rawPayload),
    ]).toEqual([200, 200, true, false])
  })

  it('that cannot be drawn are not there, and neither is one of nothing', async () => {
    const urls = [
      `${path('1.80.1.3')}/rendered`,
      '/dicom-web/studies/1.82/series/1.82.1/thumbnail',
      '/dicom-web/studies/1.82/series/1.82.9/thumbnail',
    ]
    for (const url of urls) expect([url, (await get(url, 'image/jpeg')).statusCode]).toEqual([url, 404])
  })

  it('may be kept for a while by the browser that asked, and what is written of them may not', async () => {
    const kept = async (url: string, accept: string) => (await get(url, accept)).headers['cache-control']
    expect(await kept(`${path('1.80.1.1')}/rendered`, 'image/jpeg')).toBe('private, max-age=300')
    expect(await kept(`${path('1.80.1.1')}/metadata`, 'application/dicom+json')).toBe('no-store')
  })

  it('have the colours of their tables', async () => {
    const [us] = (await get('/dicom-web/series?Modality=US', 'application/dicom+json')).json<
      Record<string, { Value: string[] }>[]
    >()
    const drawn = await get(
      `/dicom-web/studies/${us?.['0020000D']?.Value[0]}/series/${us?.['0020000E']?.Value[0]}/thumbnail`,
      'image/jpeg',
    )
    expect(drawn.statusCode).toBe(200)
    expect(Math.max(...(await sharp(drawn.rawPayload).stats()).channels.map(({ max }) => max))).toBeGreaterThan(100)
  })

  it('that too many ask for at once are asked for again later [P18]', async () => {
    const busy = jest
      .spyOn(PictureRoom.prototype, 'draw')
      .mockRejectedValueOnce(new TooManyPictures('Too many pictures are asked for at once.'))
    const reply = await get(`${path('1.80.1.1')}/rendered`, 'image/jpeg')
    busy.mockRestore()
    expect([reply.statusCode, reply.json<{ code: string }>().code, reply.headers['retry-after']]).toEqual([
      503,
      'NOT_READY',
      '5',
    ])
  })
})

it('finds a name by the words in it only where that is asked for [7.38]', async () => {
  const found = async (query: string) =>
    (await get(`/dicom-web/studies?${query}`, 'application/dicom+json')).json<unknown[]>().length
  expect([
    await found('PatientName=tilda+tester&fuzzymatching=true'),
    await found('PatientName=tilda+tester'),
    await found('PatientName=tilda+tester&fuzzymatching=false'),
  ]).toEqual([1, 0, 0])
})

it('records once what somebody looks at again and again, and that a viewer was opened [P24]', async () => {
  const { imageSetID } = (await staff.call(scan.list, { search: '1.80.1' })).data[0] ?? {}
  for (let time = 0; time < 2; time += 1) {
    expect((await get(`${path('1.80.1.1')}/metadata`, 'application/dicom+json')).statusCode).toBe(200)
    expect(
      (await server.app.inject({ method: 'POST', url: '/launch', headers: staff.headers, payload: { imageSetID } }))
        .statusCode,
    ).toBe(200)
  }
  const rows = await server.deps.db
    .selectFrom('audit')
    .select('subject')
    .where('event', '=', 'ScanViewed')
    .where('actor_id', '=', staff.userId)
    .execute()
  const seen = rows.map(({ subject }) => JSON.stringify(Object.entries(subject).sort()))
  expect(new Set(seen).size).toBe(seen.length)
  expect(rows.map(({ subject }) => subject)).toContainEqual({ studyUID: '1.80', seriesUID: '1.80.1', isLaunch: true })
})

describe('an organization without a datastore', () => {
  it('takes no objects, and says who can help [4.04]', async () => {
    const whole = await stow(server, provider, [dicomFile()])
    expect([whole.statusCode, whole.json<{ code: string }>().code]).toEqual([409, 'NO_DATASTORE'])
  })
})

it('lets no page of whatever origin read what an upload answers [P10]', async () => {
  const url = await server.listen()
  const reply = await fetch(`${url}/api/Scan/uploads`, {
    method: 'POST',
    headers: { ...staff.headers, 'tus-resumable': '1.0.0', 'upload-length': '10', origin: url },
  })
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([201, null])
})

it('answers for each object in the order in which they were sent [1.07]', async () => {
  const other = dicomFile({ elements: object('1.80.1.1', { '00100020': text('LO', 'another') }) })
  const reply = await stow(
    server,
    staff,
    [other, dicomFile({ elements: slice({ '00080018': text('UI', '1.81.1.1'), '0020000D': text('UI', '1.81') }) })],
    '/dicom-web/studies/1.80',
  )
  const failed = reply.json<Record<string, { Value: Record<string, { Value: unknown[] }>[] }>>()['00081198']?.Value
  expect(failed?.map((one) => [one['00091002']?.Value[0], one['00091001']?.Value[0]])).toEqual([
    [1, 'CONFLICT'],
    [2, 'OTHER_STUDY'],
  ])
})
