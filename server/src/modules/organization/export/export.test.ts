import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { account, inbox, organization, type Endpoint } from '@dmp/contract'
import { importCommand } from '../../../operator/importCommand.ts'
import { unzip } from '../../scan/download/downloadInTests.ts'
import { hashLinkToken } from '../../scan/linkTokens.ts'
import { mostUses } from './exportAddress.ts'
import { hashBytes } from './exportFormat.ts'
import {
  addressOf,
  admin,
  auditOf,
  exported,
  get,
  northId,
  objects,
  password,
  root,
  server,
  south,
  southId,
  startWithScans,
} from './exportInTests.ts'

jest.setTimeout(600_000)

const folder = mkdtempSync(join(tmpdir(), 'dmp-export-'))
beforeAll(() => startWithScans())
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const exportIdFor = (call: Endpoint, exportId: string): object =>
  call === organization.downloadExport ? { exportId } : {}

describe('an export of one’s own organization', () => {
  it('is prepared as a job, told to whoever asked, and recorded with its person [P24, P70]', async () => {
    const ready = await exported()
    expect(ready).toMatchObject({ state: 'Ready', objects: 5, objectsDone: 5, reason: null })
    const days = (Date.parse(String(ready.expiresDate)) - Date.parse(String(ready.readyDate))) / 86_400_000
    expect(days).toBe(7)
    expect(await auditOf('OrganizationExported')).toEqual([
      { actor_id: admin.userId, subject: { exportId: ready.id, state: 'begun' } },
      {
        actor_id: null,
        subject: expect.objectContaining({ exportId: ready.id, state: 'whole', objects: 5 }) as object,
      },
    ])
    const { data } = await admin.call(inbox.list, {})
    expect(data.entries.find(({ kind }) => kind === 'ExportReady')).toMatchObject({
      link: `/account/organization/export?organizationId=${northId}`,
      what: 'North-Clinic',
    })
    const others = (await south.call(inbox.list, {})).data.entries
    expect(others.filter(({ kind }) => kind === 'ExportReady')).toEqual([])
  })

  it('is one zip with media and records that anybody can check and another organization takes [P61, P70]', async () => {
    const ready = await exported()
    const reply = await get(await addressOf(ready))
    expect([reply.statusCode, reply.rawPayload.length]).toEqual([200, ready.bytes])
    const path = join(folder, 'whole')
    for (const [name, bytes] of unzip(reply.rawPayload)) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), bytes)
    }
    for (const place of [path, join(path, 'scans-0001')])
      execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: place })
    const hashes = [...unzip(reply.rawPayload)]
      .filter(([name]) => name.includes('/DICOM/'))
      .map(([, b]) => hashBytes(b))
    expect(hashes.sort()).toEqual(objects.map(hashBytes).sort())
    const said: string[] = []
    await importCommand(
      server.deps,
      { folder: path, organization: 'South-Clinic' },
      (line) => 'text' in line && said.push(line.text),
      new AbortController().signal,
    )
    expect(said.join('\n')).toMatch(/5 stored, in 2 series\n {2}0 were already stored\n {2}0 refused/)
  })

  it('is downloaded in any pieces, after any break, as the same bytes [P70]', async () => {
    const ready = await exported()
    const url = await addressOf(ready)
    const whole = (await get(url)).rawPayload
    const head = await server.app.inject({ method: 'HEAD', url })
    expect(head.headers).toMatchObject({
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      etag: `"${ready.id}"`,
    })
    const size = whole.length
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      [`bytes=1-${size - 2}`, 1, size - 1],
      [`bytes=${Math.floor(size / 2)}-`, Math.floor(size / 2), size],
      ['bytes=-100', size - 100, size],
      ['bytes=300-99999999999', 300, size],
    ] as const) {
      const reply = await get(url, { range, 'if-range': `"${ready.id}"` })
      expect([reply.statusCode, reply.headers['content-range']]).toEqual([206, `bytes ${start}-${end - 1}/${size}`])
      expect(reply.rawPayload.equals(whole.subarray(start, end))).toBe(true)
    }
    const beyond = await get(url, { range: `bytes=${size}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`])
    for (const headers of [
      { range: 'bytes=5-', 'if-range': '"other"' },
      { range: 'lines=1-2' },
      { range: 'bytes=9-3' },
    ])
      expect((await get(url, headers as Record<string, string>)).statusCode).toBe(200)
    // Each start of it is recorded, with where.
    const uses = await auditOf('OrganizationExportDownloaded')
    expect(uses.at(-1)).toEqual({ actor_id: admin.userId, subject: { exportId: ready.id } })
    expect(uses).toContainEqual({ actor_id: admin.userId, subject: { exportId: ready.id, resumedAtByte: 300 } })
  })

  it('asks for the right, the wall and the password at every step [P01, P02, P04, P70]', async () => {
    const ready = await exported()
    const [staff, system] = await Promise.all([server.signIn('staff'), server.signIn('sys_admin')])
    for (const who of [staff, system]) {
      expect((await who.call(organization.listExports, { id: northId })).status).toBe(403)
      expect((await who.call(organization.startExport, { id: northId, password })).status).toBe(403)
    }
    const never = '00000000-0000-4000-8000-00000000ffff'
    for (const id of [northId, never])
      for (const call of [organization.startExport, organization.downloadExport])
        expect((await south.call(call, { id, ...exportIdFor(call, ready.id), password })).status).toBe(404)
    expect((await south.call(organization.endExport, { id: southId, exportId: ready.id })).status).toBe(404)
    for (const wrong of [{ password: 'Wrong Passw0rd!' }, {}])
      for (const call of [organization.startExport, organization.downloadExport]) {
        const reply = await admin.call(call, { id: northId, ...exportIdFor(call, ready.id), ...wrong })
        expect(reply.fields?.[0]?.path).toBe('password')
      }
    const provider = organization.providerOrganizationId
    expect((await root.call(organization.startExport, { id: provider, password })).code).toBe('BUILT_IN_ORGANIZATION')
    expect((await root.call(organization.listExports, { id: northId })).data[0]).toMatchObject({ id: ready.id })
    for (const url of ['a', 'a'.repeat(43)])
      expect((await get(`/api/Organization/exports/${url}`)).statusCode).toBe(404)
  })

  it('is one at a time, gives way to the next, and ends when somebody ends it [P18, P70]', async () => {
    const startBoth = async () => {
      const url = await addressOf(await exported())
      const start = (who: typeof admin) => who.call(organization.startExport, { id: northId, password })
      return { url, both: await Promise.all([admin, root].map(start)) }
    }
    let { url, both } = await startBoth()
    // So little is to be exported that the first may be done before the second is asked for.
    for (let tries = 1; tries < 10 && both.every(({ status }) => status === 200); tries += 1)
      ({ url, both } = await startBoth())
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.map(({ code }) => code)).toContain('EXPORT_UNDER_WAY')
    const open = both.flatMap(({ status, data }) => (status === 200 ? data : []))[0]
    const ended = await admin.call(organization.endExport, { id: northId, exportId: String(open?.id) })
    expect([200, 409]).toContain(ended.status)
    if (ended.status === 200) {
      expect(ended.data[0]).toMatchObject({ state: 'Ended', reason: 'Person' })
      expect((await get(url)).statusCode).toBe(200)
    }
    const second = await exported()
    expect((await get(url)).statusCode).toBe(404)
    expect((await admin.call(organization.endExport, { id: northId, exportId: second.id })).status).toBe(200)
    expect((await admin.call(organization.downloadExport, { id: northId, exportId: second.id, password })).code).toBe(
      'EXPORT_NOT_READY',
    )
    for (const table of ['organization_export_parts', 'organization_export_pieces'] as const)
      expect(await server.deps.db.selectFrom(table).select('position').execute()).toEqual([])
  })
})

describe('an archive that stays', () => {
  it('opens by each of its addresses for the hours, the uses and the session of that one alone [P11, P70]', async () => {
    const ready = await exported()
    const elsewhere = await server.signIn('admin')
    const [old, worn, over, good] = (await Promise.all(
      [admin, admin, elsewhere, admin].map((who) => addressOf(ready, who)),
    )) as [string, string, string, string]
    const set = (url: string, values: { readonly expires_date?: Date; readonly uses?: number }) =>
      server.deps.db
        .updateTable('organization_export_addresses')
        .set(values)
        .where('token_hash', '=', hashLinkToken(url.split('/').at(-1) ?? ''))
        .execute()
    await set(old, { expires_date: new Date(Date.now() - 1) })
    await set(worn, { uses: mostUses - 1 })
    const statusOf = async (url: string) => (await get(url)).statusCode
    expect([await statusOf(old), await statusOf(worn), await statusOf(worn)]).toEqual([404, 200, 404])
    expect(await statusOf(over)).toBe(200)
    await server.call(account.logout, { refreshToken: elsewhere.tokens.refreshToken ?? '' })
    expect([await statusOf(over), await statusOf(good)]).toEqual([404, 200])
  })

  it('is that of its own organization, whatever another one does with its own [P02, P70]', async () => {
    const theirs = await exported(south, southId)
    const url = await addressOf(theirs, south, southId)
    const whole = (await get(url)).rawPayload
    const listed = async () => (await south.call(organization.listExports, { id: southId })).data
    const before = await listed()
    const replaced = await exported()
    const last = await exported()
    // Both lie in pieces of the same numbers.
    const ownerIn = (archive: Buffer): unknown =>
      (JSON.parse(String(unzip(archive).get('export.json'))) as { organization: string }).organization
    const both = [await get(url), await get(await addressOf(last))].map(({ rawPayload }) => ownerIn(rawPayload))
    expect(both).toEqual(['South-Clinic', 'North-Clinic'])
    expect((await admin.call(organization.endExport, { id: northId, exportId: last.id })).status).toBe(200)
    const own = (await admin.call(organization.listExports, { id: northId })).data
    expect(own.slice(0, 2).map(({ id, reason }) => [id, reason])).toEqual([
      [last.id, 'Person'],
      [replaced.id, 'Replaced'],
    ])
    expect(own.map(({ id }) => id)).not.toContain(theirs.id)
    expect(await listed()).toEqual(before)
    expect((await get(url)).rawPayload.equals(whole)).toBe(true)
    const asked = await addressOf(theirs, root, southId)
    expect((await root.call(organization.deactivate, { id: southId })).status).toBe(200)
    for (const address of [url, asked]) expect((await get(address)).statusCode).toBe(404)
    expect((await root.call(organization.activate, { id: southId })).status).toBe(200)
    expect((await get(asked)).statusCode).toBe(200)
  })
})
