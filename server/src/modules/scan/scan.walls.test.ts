import { isEndpoint, scan, type Endpoint } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

const [studyUID, seriesUID, unknownUID] = ['1.96', '1.96.1', '1.96.404']
const unknownId = '00000000-0000-4000-8000-00000000dead'

interface Place {
  readonly organizationId: string
  readonly seriesUID: string
  readonly studyUID: string
}
const here: Place = { organizationId: northClinic.id, seriesUID, studyUID }

/** Every call of the module that names an organization or a scan. */
const scanCalls: readonly { readonly call: Endpoint; readonly input: (place: Place) => Record<string, unknown> }[] = [
  { call: scan.list, input: ({ organizationId }) => ({ organizationId }) },
  { call: scan.get, input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesUID: uid }) },
  { call: scan.getResult, input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesUID: uid }) },
  ...[
    scan.listConflicts,
    scan.listStudies,
    scan.countStudies,
    scan.getStudyKinds,
    scan.getArrivals,
    scan.countShares,
    scan.listTransferProjects,
    scan.listHeld,
    scan.listBin,
    scan.listHolds,
    scan.addSample,
    scan.removeSample,
  ].map((call) => ({ call, input: ({ organizationId }: Place) => ({ organizationId }) })),
  {
    call: scan.listShareable,
    input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesUIDs: [uid] }),
  },
  {
    call: scan.findDestination,
    input: ({ organizationId }) => ({ organizationId, name: southClinic.name }),
  },
  { call: scan.getStorage, input: ({ organizationId }) => ({ organizationId }) },
  { call: scan.download, input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesUID: uid }) },
  { call: scan.remove, input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesIdList: [uid] }) },
  {
    call: scan.listDependents,
    input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesIdList: [uid] }),
  },
  { call: scan.undoDelete, input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesIdList: [uid] }) },
  ...[scan.restore, scan.purge].map((call) => ({
    call,
    input: ({ organizationId }: Place) => ({ organizationId, ids: [unknownId] }),
  })),
  {
    call: scan.hold,
    input: ({ organizationId, studyUID: uid }) => ({ organizationId, studyUID: uid, reason: 'Asked for by a court.' }),
  },
  { call: scan.getUploader, input: ({ organizationId }) => ({ organizationId, platform: 'linux' }) },
  {
    call: scan.share,
    input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesUID: uid, expireInDay: 1 }),
  },
  { call: scan.listShares, input: ({ organizationId, seriesUID: uid }) => ({ organizationId, seriesUID: uid }) },
  {
    call: scan.transfer,
    input: ({ organizationId, ...uids }) => ({
      organizationId,
      dstOrganizationName: southClinic.name,
      anonymize: true,
      scans: [{ studyUID: uids.studyUID, seriesUID: uids.seriesUID }],
    }),
  },
]

let server: TestServer
let [north, south]: SignedIn[] = []

beforeAll(async () => {
  server = await startServer()
  north = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  const uids = {
    '00080018': text('UI', '1.96.1.1'),
    '0020000D': text('UI', studyUID),
    '0020000E': text('UI', seriesUID),
  }
  expect((await stow(server, north, [dicomFile({ elements: slice(uids) })])).statusCode).toBe(200)
})
afterAll(() => server.close())

const ask = async (who: SignedIn | undefined, call: Endpoint, input: Record<string, unknown>) => {
  const reply = await who?.call(call, input)
  return [reply?.status, reply?.raw.body.replace(/"requestId":"[^"]*"/, '')]
}

it('knows every call of the module that names an organization or a scan', () => {
  const known = new Set(scanCalls.map(({ call }) => call.name))
  const naming = Object.values<unknown>(scan)
    .filter(isEndpoint)
    .filter(({ definition: { params, query, body } }) =>
      [params, query, body]
        .flatMap((schema) => Object.keys((schema as { entries?: object } | undefined)?.entries ?? {}))
        .some((key) => /^(?:organizationId|seriesUIDs?|seriesIdList|studyUID|scans)$/.test(key)),
    )
  expect(naming.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
})

it.each(scanCalls)(
  '$call.name tells a foreign clinic of a scan as of one that nobody has [P02]',
  async ({ call, input }) => {
    const unknown = await ask(south, call, input({ ...here, organizationId: unknownId }))
    expect(unknown[0]).toBe(404)
    expect(await ask(south, call, input(here))).toEqual(unknown)
    // In the own organization the foreign scan does not exist either.
    const inside = { ...here, organizationId: southClinic.id }
    const gone = await ask(south, call, input({ ...inside, seriesUID: unknownUID, studyUID: unknownUID }))
    expect(await ask(south, call, input(inside))).toEqual(gone)
  },
)

it('left the scan where it is, and shared it with nobody [P02]', async () => {
  expect((await ask(north, scan.get, { organizationId: northClinic.id, seriesUID }))[0]).toBe(200)
  expect(await server.deps.db.selectFrom('scan_shares').select('id').execute()).toEqual([])
  expect(
    await server.deps.db.selectFrom('transfers').select('id').where('organization_id', '=', northClinic.id).execute(),
  ).toEqual([])
})
