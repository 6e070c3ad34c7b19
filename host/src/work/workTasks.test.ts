import { anId, anImport, aTransfer } from '@dmp/contract/examples'
import type { OrganizationExport } from '@dmp/contract/organization'
import * as scan from '@dmp/contract/scan'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { notify } from '@dmp/kit/ui'
import { sayHeld, sayOver } from './transferNotices.ts'
import { isHeld, ofDeletion, ofExport, ofImport, ofTransfer } from './workTasks.ts'

const [first] = aTransfer().scans
if (!first) throw new Error('a transfer without scans')
const running = { ...first, state: 'Running', images: 20, imagesDone: 5 } as const
const arrived = { ...first, state: 'Done', images: 20, imagesDone: 20 } as const
const failed = { ...first, state: 'Failed', images: 20, imagesDone: 0 } as const
const held = (pictures = 2) => ({ ...first, state: 'Queued', held: { id: anId(1), pictures } }) as const
const finishedDate = '2026-05-05T09:10:00.000Z'

const anExport = (over: Partial<OrganizationExport>): OrganizationExport => ({
  id: anId(1),
  state: 'Running',
  createdBy: 'Ms Ada Berg',
  createdDate: '2026-01-09T10:00:00.000Z',
  objects: 10,
  objectsDone: 4,
  bytes: null,
  readyDate: null,
  expiresDate: null,
  reason: null,
  endedBy: null,
  ...over,
})

describe('a task of the server says how far it is [P78]', () => {
  it.each([
    ['Waiting', 0, 10, 'waiting', 0, 'Waits for its turn'],
    ['Running', 4, 10, 'running', 40, 'Is being prepared'],
    ['Running', 10, 10, 'running', 99, 'Is being prepared'],
    ['Running', 0, 0, 'running', 0, 'Is being prepared'],
    ['Ready', 10, 10, 'done', 100, 'Ready to download'],
    ['Failed', 4, 10, 'failed', 40, 'Failed. Its page says why.'],
  ] as const)('of an export that is %s, %i of %i', (state, objectsDone, objects, shown, percent, note) => {
    expect(ofExport(anExport({ state, objectsDone, objects }))).toMatchObject({ state: shown, percent, note })
  })

  it.each([
    ['Uploading', { bytes: 200, bytesArrived: 100 }, 'waiting', 50, /has not arrived whole/],
    ['Uploading', { bytes: 200, bytesArrived: 200 }, 'waiting', 99, /has not arrived whole/],
    ['Waiting', { objects: 100, stored: 0, present: 0, refused: 0 }, 'waiting', 0, /its turn/],
    ['Running', { objects: 100, stored: 50, present: 8, refused: 2 }, 'running', 60, /being taken in/],
    ['Done', { objects: 100, stored: 90, present: 8, refused: 1 }, 'done', 100, /what was stored/],
    ['Failed', { objects: 100, stored: 50, present: 0, refused: 0 }, 'failed', 50, /says why/],
  ] as const)('of an import that is %s: %j', (state, counts, shown, percent, note) => {
    const over = { state, ...counts }
    expect(ofImport(anImport(over))).toMatchObject({
      state: shown,
      percent,
      note: expect.stringMatching(note) as string,
    })
  })

  it.each(['Ended', 'Expired'] as const)('and is none of what is %s', (state) => {
    expect([ofExport(anExport({ state })), ofImport(anImport({ state }))]).toEqual([undefined, undefined])
  })

  it.each([
    [
      'waits',
      { state: 'Queued', scans: [{ ...running, state: 'Queued', imagesDone: 0 }] },
      'waiting',
      0,
      '0 of 1 scan arrived',
    ],
    ['goes on', { scans: [running, arrived] }, 'running', 62, '1 of 2 scans arrived'],
    ['has no images yet', { scans: [{ ...running, images: 0, imagesDone: 0 }] }, 'running', 0, '0 of 1 scan arrived'],
    ['is held back', { scans: [held()] }, 'waiting', 25, 'Waits until somebody has looked at its pictures'],
    [
      'is held back beside what is over',
      { scans: [held(), arrived, failed] },
      'waiting',
      41,
      'Waits until somebody has looked at its pictures',
    ],
    ['is held back in part', { scans: [held(), running] }, 'running', 25, '0 of 2 scans arrived'],
    ['arrived', { state: 'Done', finishedDate, scans: [arrived, arrived] }, 'done', 100, '2 scans arrived'],
    [
      'arrived in part',
      { state: 'Failed', finishedDate, scans: [arrived, failed] },
      'failed',
      50,
      '1 of 2 scans arrived',
    ],
    [
      'was stopped on its way',
      { state: 'Failed', finishedDate, scans: [arrived, { ...failed, isStopped: true }] },
      'done',
      50,
      'Stopped: 1 of 2 scans arrived',
    ],
    [
      'was stopped before it left',
      { state: 'Failed', finishedDate, scans: [{ ...failed, isStopped: true }] },
      'done',
      0,
      'Stopped. Nothing was sent.',
    ],
  ] as const)('of a transfer that %s', (_what, over, state, percent, note) => {
    const transfer = aTransfer({ ...over, scans: [...over.scans] })
    expect(ofTransfer(transfer)).toMatchObject({ state, percent, note, url: isHeld(transfer) ? '/scan/held' : '/scan' })
  })

  it.each([
    [1, 'Scan deleted'],
    [2, '2 scans deleted'],
  ])('of %i scans that were deleted', (count, title) => {
    const seriesIdList = Array.from({ length: count }, (_, at) => `2.25.${at}`)
    expect(ofDeletion({ organizationId: anId(1), seriesIdList, deletedDate: finishedDate })).toMatchObject({ title })
  })
})

describe('what is said of a transfer [P78]', () => {
  const sentences: string[] = []
  beforeEach(() => {
    sentences.length = 0
    for (const kind of ['success', 'warning'] as const)
      jest.spyOn(notify, kind).mockImplementation((...[text]) => void sentences.push(`${kind}: ${text}`))
  })
  afterEach(() => jest.restoreAllMocks())

  it.each([
    [1, '1 picture may'],
    [2, '2 pictures may'],
  ])('that is held back for %i of its pictures', (pictures, words) => {
    sayHeld(aTransfer({ scans: [held(pictures)] }))
    expect(sentences).toEqual([expect.stringContaining(words)])
  })

  it.each([
    ['all arrived', [arrived], ['success: The transfer to South-Clinic is complete']],
    ['nothing arrived', [failed], ['warning: The transfer to South-Clinic failed. See the scan list for the reason.']],
    [
      'some arrived',
      [arrived, failed],
      [
        'warning: The transfer to South-Clinic is complete, but 1 of 2 scans were not transferred. See the scan list for the reasons.',
      ],
    ],
    ['somebody stopped it', [{ ...failed, isStopped: true }], []],
  ] as const)('when %s', (_what, scans, said) => {
    sayOver(aTransfer({ finishedDate, scans: [...scans] }))
    expect(sentences).toEqual(said)
  })
})

describe('what takes a task of the server back [P78]', () => {
  const said = () => jest.mocked(notify.success).mock.calls.map(([text]) => text)
  beforeEach(() => {
    signInAs('admin')
    jest.spyOn(notify, 'success').mockImplementation(() => undefined)
  })
  afterEach(() => jest.restoreAllMocks())

  it.each([
    [[arrived, failed], 'Transfer to South-Clinic stopped'],
    [[failed], 'Transfer to South-Clinic stopped. Nothing was sent.'],
  ] as const)('says whether anything had left by then (%#)', async (scans, text) => {
    const stopped = aTransfer({ state: 'Failed', finishedDate, scans: [...scans] })
    serve([answer(scan.stopTransfer, stopped)], placeSettings().apiRoot)
    await ofTransfer(aTransfer({ leavesInSeconds: 5 })).action?.onAct()
    expect(said()).toEqual([text])
  })

  it.each([
    [1, 'Scan restored'],
    [2, '2 scans restored'],
  ])('says how many of %i scans are back', async (count, text) => {
    const seriesIdList = Array.from({ length: count }, (_, at) => `2.25.${at}`)
    const { made } = serve([answer(scan.undoDelete, null)], placeSettings().apiRoot)
    await ofDeletion({ organizationId: anId(1), seriesIdList, deletedDate: finishedDate }).action?.onAct()
    expect(made.map(({ input }) => input)).toEqual([{ organizationId: anId(1), seriesIdList }])
    expect(said()).toEqual([text])
  })
})
