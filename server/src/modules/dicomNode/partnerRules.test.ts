import { dicomPartner, limits } from '@dmp/contract'
import type { DicomPartnerDraft } from '@dmp/contract/dicomPartner'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { aDraft, addPartner } from './nodeInTests.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let provider: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  provider = await server.signIn('super_admin')
})
afterEach(() => sql`delete from dicom_partners`.execute(server.deps.db))
afterAll(() => server.close())

const add = (more: Partial<DicomPartnerDraft>, who = admin) => who.call(dicomPartner.add, aDraft(more))
const update = (id: string, more: Partial<DicomPartnerDraft>, who = admin) =>
  who.call(dicomPartner.update, { id, ...aDraft(more) })
const told = ({ status, code, fields }: Awaited<ReturnType<typeof add>>) => [code ?? status, fields?.[0]?.path]

describe('a DICOM partner [P51]', () => {
  it.each([
    ['a short address', { addresses: ['192.0.2.1', '10.1'] }, 'addresses'],
    ['an address that programs read as another', { addresses: ['010.0.0.1'] }, 'addresses'],
    ['a network of more bits than there are', { addresses: ['10.0.0.0/33'] }, 'addresses'],
    ['a host without a port', { host: '127.0.0.1' }, 'port'],
    ['a port without a host', { port: 104 }, 'host'],
  ])('is refused with %s, when it is added and when it is changed', async (_what, more, path) => {
    expect(told(await add(more))).toEqual(['INVALID', path])
    const { id } = await addPartner(admin)
    expect(told(await update(id, more))).toEqual(['INVALID', path])
  })

  it.each([
    ['name', { name: 'CT IN ROOM 3' }, 'NAME_TAKEN', 'name'],
    ['AE title', { aeTitle: 'CT_ROOM3' }, 'AE_TITLE_TAKEN', 'aeTitle'],
  ])('has a %s of its own among those of its organization', async (_what, same, code, path) => {
    const { id } = await addPartner(admin)
    const other = { name: 'MR', aeTitle: 'MR_1' }
    expect(told(await add({ ...other, ...same }))).toEqual([code, path])
    const { id: otherId } = await addPartner(admin, other)
    expect(told(await update(otherId, { ...other, ...same }))).toEqual([code, path])
    expect((await admin.call(dicomPartner.get, { id: otherId })).data).toMatchObject(other)
    // It keeps its own, another organization may use it, and so may one that comes after it.
    expect(told(await update(id, same))).toEqual([200, undefined])
    expect(told(await add(same, south))).toEqual([200, undefined])
    expect((await admin.call(dicomPartner.remove, { id })).status).toBe(200)
    expect(told(await add(same))).toEqual([200, undefined])
  })

  it('is the last of as many as an organization may have, and is changed though there are as many [P18]', async () => {
    const most = limits.dicomPartnersPerOrganization
    const { id } = await addPartner(admin)
    // Those of others, and those that were deleted, take no room.
    await addPartner(south)
    await admin.call(dicomPartner.remove, { id: (await addPartner(admin, { name: 'Gone', aeTitle: 'GONE' })).id })
    await sql`insert into dicom_partners (organization_id, owner_id, name, ae_title, services, addresses, uses_tls)
      select organization_id, owner_id, 'Device ' || n, 'DEVICE_' || n, services, addresses, uses_tls
      from dicom_partners, generate_series(2, ${most - 1}::int) n where id = ${id}`.execute(server.deps.db)
    const last = await add({ name: 'Last', aeTitle: 'LAST' })
    expect(last.status).toBe(200)
    expect(told(await add({ name: 'One more', aeTitle: 'MORE' }))).toEqual(['TOO_MANY', undefined])
    expect(told(await update(last.data.id, { name: 'Last, renamed', aeTitle: 'LAST' }))).toEqual([200, undefined])
    await admin.call(dicomPartner.remove, { id: last.data.id })
    expect(told(await add({ name: 'One more', aeTitle: 'MORE' }))).toEqual([200, undefined])
  })

  it('is disabled once and enabled once: whoever comes second is told [P51]', async () => {
    const { id } = await addPartner(admin)
    const codes: unknown[] = []
    for (const call of [dicomPartner.enable, dicomPartner.disable, dicomPartner.disable, dicomPartner.enable])
      codes.push(told(await admin.call(call, { id }))[0])
    expect(codes).toEqual(['UNCHANGED', 200, 'UNCHANGED', 200])
  })

  it('is stopped and deleted by the provider, which opens no door in its name [P02]', async () => {
    const { id } = await addPartner(admin)
    expect((await provider.call(dicomPartner.disable, { id })).data).toMatchObject({ id, status: 'Disabled' })
    for (const opening of [
      await provider.call(dicomPartner.enable, { id }),
      await update(id, { addresses: ['192.0.2.1'] }, provider),
    ])
      expect([opening.status, opening.code]).toEqual([403, 'NOT_ALLOWED'])
    expect((await admin.call(dicomPartner.get, { id })).data).toMatchObject({
      status: 'Disabled',
      addresses: ['127.0.0.1/32'],
    })
    expect((await provider.call(dicomPartner.remove, { id })).status).toBe(200)
    expect((await admin.call(dicomPartner.get, { id })).status).toBe(404)
  })
})
