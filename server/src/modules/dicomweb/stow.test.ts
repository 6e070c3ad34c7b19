import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { sampleObjects } from '../../dicom/sampleObjects.ts'
import { stow, stowBody } from '../../testing/stow.ts'
import { server, staff, provider, northId, file, get, value, startWithCallers, south } from './stowInTests.ts'

beforeAll(startWithCallers)
afterAll(() => server.close())

describe('STOW-RS', () => {
  it('stores real objects of ten transfer syntaxes, all in one request, and answers for each [1.07, 3.12]', async () => {
    const objects = sampleObjects()
      .filter((path) => !path.includes('papaya'))
      .map((path) => readFileSync(path))
    const reply = await stow(server, staff, objects)
    expect(reply.statusCode).toBe(202)
    const response = JSON.parse(reply.body) as Record<string, { Value: Record<string, { Value: unknown[] }>[] }>
    // Two samples are the same slice in two encodings: the second is refused, never put in place of the first.
    expect(response['00081199']?.Value.length).toBe(objects.length - 1)
    expect(response['00081198']?.Value.map((item) => item['00091001']?.Value[0])).toEqual(['CONFLICT'])
    expect(response['00081198']?.Value[0]?.['00081197']?.Value).toEqual([0x0111])
  })

  it('recognises what is there already [P20]', async () => {
    const reply = await stow(server, staff, [file('rle.dcm')])
    expect(reply.statusCode).toBe(200)
    const response = JSON.parse(reply.body)
    expect(response['00081199'].Value[0]['00081196']).toEqual({ vr: 'US', Value: [0xb007] })
    // Of what did not happen it says nothing.
    expect(Object.keys(response).sort()).toEqual(['00081190', '00081199'])
  })

  it('tells which part was refused and why, stores the others, and leaves nothing of the refused [P12]', async () => {
    const good = dicomFile({
      elements: slice({
        '00080018': text('UI', '1.2.3.9'),
        '0020000D': text('UI', '1.2.9'),
        '0020000E': text('UI', '1.2.9.1'),
      }),
    })
    const reply = await stow(server, staff, [Buffer.from('no object at all'), good, good.subarray(0, -10)])
    expect(reply.statusCode).toBe(202)
    const response = JSON.parse(reply.body)
    expect(response['0008119A'].Value.map((item: never) => [value(item, '00091001'), value(item, '00091002')])).toEqual(
      [
        ['NOT_DICOM', 1],
        ['TRUNCATED', 3],
      ],
    )
    expect(response['00081199'].Value.length).toBe(1)
    const rows = await server.deps.db
      .selectFrom('instances')
      .select('object_key')
      .where('study_uid', '=', '1.2.9')
      .execute()
    expect(rows.length).toBe(1)
    expect(await server.deps.objects.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
  })

  it('closes the line of an upload that it refuses, and of no other request', async () => {
    expect((await stow(server, staff, [])).headers.connection).toBe('close')
    expect((await get(staff, '/studies/1.2.404/metadata')).headers.connection).not.toBe('close')
  })

  it('says of each series whether a person, a program or the uploader brought it [3.12]', async () => {
    const uploader = await server.signIn('service_user')
    const byProgram = { ...uploader, headers: { ...uploader.headers, 'user-agent': 'DMP-Uploader/1.1.0 (Linux 6)' } }
    const of = (study: string) => [
      dicomFile({
        elements: slice({
          '00080018': text('UI', `${study}.1.1`),
          '0020000D': text('UI', study),
          '0020000E': text('UI', `${study}.1`),
        }),
      }),
    ]
    expect([
      (await stow(server, staff, of('1.2.55'))).statusCode,
      (await stow(server, uploader, of('1.2.56'))).statusCode,
      (await stow(server, byProgram, of('1.2.57'))).statusCode,
    ]).toEqual([200, 200, 200])
    const rows = await server.deps.db
      .selectFrom('series')
      .select('source')
      .where('study_uid', 'in', ['1.2.55', '1.2.56', '1.2.57'])
      .orderBy('study_uid')
      .execute()
    expect(rows.map(({ source }) => source)).toEqual(['Upload', 'API', 'Uploader'])
  })

  it('answers 409 when everything is refused and 400 when there is nothing [P12]', async () => {
    expect((await stow(server, staff, [Buffer.from('nothing')])).statusCode).toBe(409)
    expect((await stow(server, staff, [])).statusCode).toBe(400)
  })

  it('refuses bodies that are not multipart, that end too early, and parts of another type [P12, P16]', async () => {
    const { payload, headers } = stowBody([file('rle.dcm')])
    const post = (body: Buffer, more: Record<string, string>) =>
      server.app.inject({
        method: 'POST',
        url: '/dicom-web/studies',
        payload: body,
        headers: { ...staff.headers, ...headers, ...more },
      })
    expect((await post(payload, { 'content-type': 'application/json' })).statusCode).toBe(400)
    expect((await post(payload, { 'content-type': 'multipart/related; type="application/dicom"' })).statusCode).toBe(
      415,
    )
    expect((await post(payload.subarray(0, 5_000), {})).statusCode).toBe(400)
    const other = stowBody([file('rle.dcm')], 'text/html')
    const html = await post(other.payload, {})
    expect([html.statusCode, value(JSON.parse(html.body)['0008119A'].Value[0], '00081197')]).toEqual([409, 0xc000])
  })

  it('says why in the numbers of the standard [P12]', async () => {
    const { '7FE00010': _pixels, ...header } = slice({ '00080018': text('UI', '1.2.3.60') })
    const { '0020000D': _study, ...stray } = slice()
    const lies: readonly (readonly [Buffer, number])[] = [
      [Buffer.from('no object at all'), 0xc000],
      [dicomFile({ transferSyntaxUID: '1.2.840.113619.5.2', dataset: Buffer.alloc(0) }), 0xc122],
      [dicomFile({ elements: stray }), 0xa900],
      [dicomFile({ elements: header }), 0xa900],
    ]
    const response = JSON.parse(
      (
        await stow(
          server,
          staff,
          lies.map(([bytes]) => bytes),
        )
      ).body,
    )
    const failed = [...(response['00081198']?.Value ?? []), ...(response['0008119A']?.Value ?? [])] as Record<
      string,
      { Value: unknown[] }
    >[]
    const codes = new Map(failed.map((item) => [value(item, '00091002'), value(item, '00081197')]))
    expect(lies.map((_, index) => codes.get(index + 1))).toEqual(lies.map(([, code]) => code))
  })

  it('takes a number of an instance that no column can hold [P12]', async () => {
    for (const [uid, number] of [
      ['1.2.3.61', '99999999999'],
      ['1.2.3.62', '-9999999999'],
    ] as const) {
      expect(
        (
          await stow(server, staff, [
            dicomFile({ elements: slice({ '00080018': text('UI', uid), '00200013': text('IS', number) }) }),
          ])
        ).statusCode,
      ).toBe(200)
    }
    const rows = await server.deps.db
      .selectFrom('instances')
      .select('instance_number')
      .where('sop_instance_uid', 'in', ['1.2.3.61', '1.2.3.62'])
      .orderBy('instance_number')
      .execute()
    expect(rows.map((row) => row.instance_number)).toEqual([-2_147_483_648, 2_147_483_647])
  })

  it('names the study when there is one, and none when there are several [7.38]', async () => {
    const of = (uid: string, study: string) =>
      dicomFile({
        elements: slice({
          '00080018': text('UI', uid),
          '0020000D': text('UI', study),
          '0020000E': text('UI', `${study}.1`),
        }),
      })
    const response = JSON.parse(
      (await stow(server, staff, [of('1.2.50.1.1', '1.2.50'), of('1.2.50.1.2', '1.2.50')])).body,
    )
    expect(value(response, '00081190')).toBe('http://localhost:80/dicom-web/studies/1.2.50')
    const two = JSON.parse((await stow(server, staff, [of('1.2.51.1.1', '1.2.51'), of('1.2.52.1.1', '1.2.52')])).body)
    expect([two['00081190'], two['00081199'].Value.length]).toEqual([undefined, 2])
  })

  it('survives any envelope: an answer of its own, nothing half stored, and the next upload works [P12, P16]', async () => {
    const { payload, headers } = stowBody([
      dicomFile({ elements: slice({ '00080018': text('UI', '1.2.3.81') }) }),
      dicomFile({ elements: slice({ '00080018': text('UI', '1.2.3.82') }) }),
    ])
    let state = 77
    const random = (below: number): number => (
      (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0),
      state % below
    )
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(payload)
      for (let change = 0; change <= random(6); change++)
        bytes[random(bytes.length)] = [0x0d, 0x0a, 0x2d, 0, random(256)][random(5)] ?? 0
      const body = random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
      const { statusCode } = await server.app.inject({
        method: 'POST',
        url: '/dicom-web/studies',
        payload: body,
        headers: { ...headers, ...staff.headers },
      })
      expect([round, [200, 202, 400, 409, 413].includes(statusCode)]).toEqual([round, true])
    }
    expect(await server.deps.objects.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
    expect(
      (
        await server.app.inject({
          method: 'POST',
          url: '/dicom-web/studies',
          payload: stowBody([dicomFile({ elements: slice({ '00080018': text('UI', '1.2.3.83') }) })]).payload,
          headers: { ...headers, ...staff.headers },
        })
      ).statusCode,
    ).toBe(200)
  })

  it('takes a single object as application/dicom, and into the addressed study only', async () => {
    const send = (url: string, uid: string) =>
      server.app.inject({
        method: 'POST',
        url,
        payload: dicomFile({ elements: slice({ '00080018': text('UI', uid) }) }),
        headers: { ...staff.headers, 'content-type': 'application/dicom' },
      })
    expect((await send('/dicom-web/studies/1.2.3', '1.2.3.70')).statusCode).toBe(200)
    const wrong = await send('/dicom-web/studies/1.2.4', '1.2.3.71')
    const [refusedItem] = JSON.parse(wrong.body)['00081198'].Value
    expect([wrong.statusCode, value(refusedItem, '00091001'), value(refusedItem, '00081197')]).toEqual([
      409,
      'OTHER_STUDY',
      0xa900,
    ])
  })

  it('refuses a single object by its length before its bytes are sent', async () => {
    const reply = await server.app.inject({
      method: 'POST',
      url: '/dicom-web/studies',
      payload: new Readable({ read: () => undefined }),
      headers: { ...staff.headers, 'content-type': 'application/dicom', 'content-length': String(2 ** 40) },
    })
    expect([reply.statusCode, reply.json()]).toEqual([413, expect.objectContaining({ code: 'TOO_LARGE' })])
  })

  it('needs Scan/Upload and goes into the own organization; the provider names one [6.02, P01, P02]', async () => {
    const { payload, headers } = stowBody([file('sample.dcm')])
    expect((await server.app.inject({ method: 'POST', url: '/dicom-web/studies', payload, headers })).statusCode).toBe(
      401,
    )
    const foreign = await server.app.inject({
      method: 'POST',
      url: `/dicom-web/studies?organizationId=${northId}`,
      payload,
      headers: { ...headers, ...south.headers },
    })
    expect(foreign.statusCode).toBe(404)
    expect(
      (await stow(server, provider, [file('sample.dcm')], `/dicom-web/studies?organizationId=${northId}`)).statusCode,
    ).toBe(200)
  })
})
