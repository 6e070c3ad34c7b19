import {
  failureReason,
  readStoreResponse,
  writeStoreResponse,
  type InstanceIdentity,
  type RefusedOutcome,
} from './storeResponse.ts'

const identity = (instance: number): InstanceIdentity => ({
  sopClassUID: '1.2.840.10008.5.1.4.1.1.2',
  sopInstanceUID: `1.2.3.${instance}`,
  studyUID: '1.2',
  seriesUID: '1.2.3',
})
const notDicom: RefusedOutcome = {
  kind: 'refused',
  failureCode: failureReason.cannotUnderstand,
  sentence: 'This is not a DICOM file.',
  reason: 'NOT_DICOM',
}
const conflict: RefusedOutcome = {
  kind: 'refused',
  failureCode: failureReason.duplicateSOPInstance,
  sentence: 'Another object has this UID.',
  reason: 'CONFLICT',
  identified: { ...identity(4), studyUID: '', seriesUID: '' },
}

describe('the store response (PS3.18 section 10.5.3)', () => {
  it('is read as it was written: each outcome at the place of its object', () => {
    const outcomes = [
      { kind: 'stored' as const, ...identity(1) },
      notDicom,
      { kind: 'duplicate' as const, ...identity(2) },
      conflict,
    ]
    const written = writeStoreResponse(outcomes.map((outcome, index) => ({ part: index + 1, outcome })))
    expect(readStoreResponse(JSON.parse(JSON.stringify(written)), 4)).toEqual(outcomes)
  })

  it('tells in the elements of the standard what was stored, what was a duplicate and what failed', () => {
    const written = writeStoreResponse([
      { part: 1, outcome: { kind: 'duplicate', ...identity(1) } },
      { part: 2, outcome: notDicom },
      { part: 3, outcome: conflict },
    ])
    expect(written).toMatchObject({
      '00081190': { vr: 'UR', Value: ['/dicom-web/studies/1.2'] },
      '00081198': { vr: 'SQ', Value: [{ '00081155': { Value: ['1.2.3.4'] }, '00081197': { Value: [0x0111] } }] },
      '0008119A': { vr: 'SQ', Value: [{ '00081197': { vr: 'US', Value: [0xc000] }, '00091002': { Value: [2] } }] },
      '00081199': {
        vr: 'SQ',
        Value: [
          {
            '00081190': { Value: ['/dicom-web/studies/1.2/series/1.2.3/instances/1.2.3.1'] },
            '00081196': { vr: 'US', Value: [0xb007] },
          },
        ],
      },
    })
  })

  it('keeps the Error Comment to 64 characters (LO), and says the whole sentence beside it', () => {
    const sentence = 'This study is stored as the one of another patient. Compare both at Scans, Conflicts.'
    const written = writeStoreResponse([{ part: 1, outcome: { ...conflict, sentence } }])
    expect(written).toMatchObject({
      '00081198': { Value: [{ '00000902': { Value: ['This study is stored as the one of another patient.'] } }] },
    })
    expect(readStoreResponse(written, 1)).toMatchObject([{ sentence }])
  })

  it('names no study when the objects are of several, and no empty sequence', () => {
    const written = writeStoreResponse([
      { part: 1, outcome: { kind: 'stored', ...identity(1) } },
      { part: 2, outcome: { kind: 'stored', ...identity(2), studyUID: '1.9' } },
    ])
    expect(Object.keys(written)).toEqual(['00081199'])
  })

  it('takes no number for an object that was not sent', () => {
    const failed = (part: number) => ({ '00000902': { Value: ['No.'] }, '00091002': { Value: [part] } })
    const outcomes = readStoreResponse({ '0008119A': { Value: [failed(0), failed(3), failed(9)] } }, 2)
    expect(outcomes).toEqual([undefined, undefined])
  })

  it('understands a server that does not number what failed, when one object was sent', () => {
    const body = { '00081198': { Value: [{ '00081197': { Value: [49442] } }] } }
    expect(readStoreResponse(body, 1)).toEqual([{ kind: 'refused', failureCode: 49442, sentence: '', reason: '' }])
    expect(readStoreResponse(body, 2)).toEqual([undefined, undefined])
  })

  it.each([undefined, null, 'text', 7, [], {}, { '00081199': {} }, { '00081199': { Value: [null, 'x'] } }])(
    'says nothing of an object when the body is %j',
    (body) => expect(readStoreResponse(body, 1)).toEqual([undefined]),
  )
})
