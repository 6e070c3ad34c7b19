import { organization, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { signAccessToken } from '../../identity/accessToken.ts'
import { stow } from '../../testing/stow.ts'
import {
  server,
  staff,
  provider,
  explicitLittleEndian,
  path,
  get,
  object,
  bits,
  packBits,
  first,
  second,
  third,
  hidden,
  startWithFrames,
} from './wadoInTests.ts'

/** As these requests call the server. */
const ownOrigin = 'http://localhost:80'

beforeAll(startWithFrames)
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
        packBits(bits.slice((frame - 1) * 9, frame * 9)),
      ])
  })

  it('in several fragments begin where the offset table says [7.42]', async () => {
    const asStored = 'application/octet-stream; transfer-syntax=*'
    expect((await get(`${path('1.80.1.3')}/frames/1`, asStored)).rawPayload).toEqual(Buffer.concat([first, second]))
    expect((await get(`${path('1.80.1.3')}/frames/2`, asStored)).rawPayload).toEqual(third)
    // These are no pictures: as samples they are not available, and never something else instead.
    expect((await get(`${path('1.80.1.3')}/frames/1`)).statusCode).toBe(406)
  })

  it('come several at once as parts of one answer, with their own addresses', async () => {
    const reply = await get(`${path('1.80.1.1')}/frames/3,1`, '*/*')
    const boundary = /boundary=(\S+)/.exec(String(reply.headers['content-type']))?.[1] ?? ''
    const part = (frame: number) =>
      `--${boundary}\r\nContent-Type: application/octet-stream; transfer-syntax=${explicitLittleEndian}\r\nContent-Location: ${ownOrigin}${path('1.80.1.1')}/frames/${frame}\r\n\r\n${String.fromCharCode(frame).repeat(16)}\r\n`
    expect(reply.body).toBe(`${part(3)}${part(1)}--${boundary}--\r\n`)
  })

  it('are given out in whatever order, each of them once: no answer is longer than the object [P18]', async () => {
    const reply = await get(`${path('1.80.1.1')}/frames/2,3,1`, '*/*')
    expect([reply.statusCode, reply.body.match(/Content-Location/g)?.length]).toEqual([200, 3])
    for (const frames of ['1,1', `${'1,2,'.repeat(520)}3`]) {
      const refused = await get(`${path('1.80.1.1')}/frames/${frames}`, '*/*')
      expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([400, 'Name each frame once.'])
    }
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
      [explicitLittleEndian, 200],
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
    const reply = await get(series, 'application/dicom')
    expect([reply.headers['content-type'], held(reply.body)]).toEqual([
      expect.stringContaining('multipart/related'),
      ['1.80.1.1', '1.80.1.2', '1.80.1.3', '1.80.1.4'],
    ])
    const of = async (syntax: string) => {
      const { statusCode, body } = await get(
        series,
        `multipart/related; type="application/dicom"; transfer-syntax=${syntax}`,
      )
      return [statusCode, held(body)]
    }
    expect([await of('1.2.840.10008.1.2.4.50'), await of('1.2.840.10008.1.2.5'), await of('*')]).toEqual([
      // Not all of them are: 206 says so, and never 200 with nothing.
      [206, ['1.80.1.3']],
      [406, []],
      [200, ['1.80.1.1', '1.80.1.2', '1.80.1.3', '1.80.1.4']],
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
        .map((dataset) => '7FE00010' in dataset)
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
  expect(address).toBe(`${ownOrigin}${path('1.80.1.4')}/bulkdata/00081140-1-00082112-0-00282000`)
  expect((await get(address)).rawPayload).toEqual(hidden)
  expect((await get(address.replace('-1-', '-0-'))).statusCode).toBe(404)
  // Tags are written in one way (PS3.18, F.2.2).
  const getStatus = async (tag: string) => (await get(`${path('1.80.1.4')}/bulkdata/${tag}`)).statusCode
  expect([await getStatus('0020000D'), await getStatus('0020000d')]).toEqual([200, 404])
})

it('finds a name by the words in it only where that is asked for [7.38]', async () => {
  const searchSeries = async (query: string) =>
    (await get(`/dicom-web/studies?${query}`, 'application/dicom+json')).json<unknown[]>().length
  expect([
    await searchSeries('PatientName=tilda+tester&fuzzymatching=true'),
    await searchSeries('PatientName=tilda+tester'),
    await searchSeries('PatientName=tilda+tester&fuzzymatching=false'),
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
  const subjects = rows.map(({ subject }) => JSON.stringify(Object.entries(subject).sort()))
  expect(new Set(subjects).size).toBe(subjects.length)
  expect(rows.map(({ subject }) => subject)).toContainEqual({ studyUID: '1.80', seriesUID: '1.80.1', isLaunch: true })
})

describe('an organization without a datastore', () => {
  it('takes no objects, and says who can help [4.04]', async () => {
    const whole = await stow(server, provider, [dicomFile()])
    expect([whole.statusCode, whole.json<{ code: string }>().code]).toEqual([409, 'NO_DATASTORE'])
  })

  it('takes them as soon as it has one [4.04]', async () => {
    const south = await server.signIn('admin@south.example')
    await server.deps.db
      .updateTable('organizations')
      .set({ datastore_id: null })
      .where('id', '=', southClinic.id)
      .execute()
    expect((await stow(server, south, [dicomFile()])).statusCode).toBe(409)
    await provider.call(organization.createDatastore, { id: southClinic.id })
    expect((await stow(server, south, [dicomFile()])).statusCode).toBe(200)
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
  expect(failed?.map((item) => [item['00091002']?.Value[0], item['00091001']?.Value[0]])).toEqual([
    [1, 'CONFLICT'],
    [2, 'OTHER_STUDY'],
  ])
})

describe('a whole object [P01]', () => {
  const pictures = ['/frames/1', '/rendered', '/metadata', '/thumbnail']
  const wholes = ['/dicom-web/studies/1.80', '/dicom-web/studies/1.80/series/1.80.1', path('1.80.1.1')]

  it('is a download: those without Scan/Download see pictures and header, and get no object', async () => {
    const organization = `?organizationId=${northClinic.id}`
    for (const [who, query] of [
      [await server.signIn('sys_admin'), organization],
      [await server.signIn('service_user'), ''],
    ] as const) {
      for (const accept of ['application/dicom', 'multipart/related; type="application/dicom"', '*/*'])
        for (const url of wholes) expect((await get(`${url}${query}`, accept, who)).statusCode).toBe(403)
      for (const picture of pictures)
        expect((await get(`${path('1.80.1.1')}${picture}${query}`, '*/*', who)).statusCode).toBe(200)
    }
    for (const url of wholes) expect((await get(url, '*/*')).statusCode).toBe(200)
  })

  it('is open to an app and to the image viewer as far as it is to their person [7.42]', async () => {
    for (const [role, status] of [
      ['staff', 200],
      ['service_user', 403],
    ] as const) {
      const person = await server.signIn(role)
      const claims = Buffer.from(person.tokens.accessToken?.split('.')[1] ?? '', 'base64url').toString()
      const { sid: sessionId } = JSON.parse(claims) as { sid: string }
      const { token } = await signAccessToken(
        server.deps.keys,
        { userId: person.userId, sessionId, scope: 'scan-read' },
        15,
      )
      const app = { ...person, headers: { authorization: `Bearer ${token}` } }
      expect((await get(path('1.80.1.1'), 'application/dicom', app)).statusCode).toBe(status)
      expect((await get(`${path('1.80.1.1')}/frames/1`, '*/*', app)).statusCode).toBe(200)
    }
  })

  it('is recorded as what it is, and a picture as seen [P24]', async () => {
    const admin = await server.signIn('admin')
    await get(path('1.80.1.1'), 'application/dicom', admin)
    await get(`${path('1.80.1.1')}/frames/1`, '*/*', admin)
    const rows = await server.deps.db
      .selectFrom('audit')
      .select(['event', 'subject'])
      .where('actor_id', '=', admin.userId)
      .where('event', 'like', 'Scan%')
      .orderBy('position')
      .execute()
    expect(rows).toEqual([
      { event: 'ScanDownloaded', subject: { studyUID: '1.80', seriesUID: '1.80.1', sopInstanceUID: '1.80.1.1' } },
      { event: 'ScanViewed', subject: { studyUID: '1.80', seriesUID: '1.80.1' } },
    ])
  })
})
