import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { Stranger, storeStudies, tokenOf } from './shareInTests.ts'

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  await storeStudies(server, admin, '1.86', 'Müller^Zoë')
})
afterAll(() => server.close())

const recipient = 'ada.berg@elsewhere.example'
const input = { organizationId: northClinic.id, seriesUID: '1.86.1.1', expireInDay: 2, recipient }
const share = async (more: object = {}) =>
  tokenOf((await admin.call(scan.share, { ...input, ...more })).data.downloadUrl)
const refusal = async (more: object) => {
  const { status, fields } = await admin.call(scan.share, { ...input, ...more })
  return [status, fields?.[0]?.path]
}
/** The newest mail with a code that is not the one before. */
const codeAfter = async (previous: string | null): Promise<string> => {
  for (;;) {
    const { code } = await server.mailTo(recipient)
    if (code !== null && code !== previous) return code
    await new Promise((soon) => setTimeout(soon, 10))
  }
}

describe('a link that goes out by mail', () => {
  it('says who shared and until when, with the message set apart and without the patient or the study [P23]', async () => {
    const token = await share({ message: 'Please compare with <2024>.\nThank you' })
    const mail = await server.mailTo(recipient)
    expect(mail.subject).toBe('North-Clinic has shared medical images with you')
    expect(mail.links).toEqual([expect.stringMatching(new RegExp(`/share/${token}$`))])
    expect(mail.text).toMatch(
      /^Hello,\n\n\w+ \w+ \w+ of North-Clinic has shared .* works until \d+ \w+ \d{4}, \d\d:\d\d UTC\./,
    )
    expect(mail.text).toContain('> Please compare with <2024>.\n> Thank you')
    expect(mail.html).toContain('Please compare with &lt;2024&gt;.<br>Thank you')
    for (const text of [mail.subject, mail.text, mail.html]) expect(text).not.toMatch(/Müller|Zoë|1\.86|Study 1/)
    const [link] = (await admin.call(scan.listShares, input)).data
    expect(link).toMatchObject({ recipient, hasCode: false })
    expect(server.logs.join('')).not.toContain(recipient)
  })

  it('takes no message that names the patient, however it is written, and none without an address [P23]', async () => {
    for (const message of ['About Müller', 'ZOE and her knee', 'see id-mu\u0308ller^zoë', 'MULLER'])
      expect([message, ...(await refusal({ message }))]).toEqual([message, 400, 'message'])
    // Words that name somebody else, here or where another organization has the same scan, are words.
    await storeStudies(server, admin, '1.85', 'Hip^Otto')
    await storeStudies(server, await server.signIn('admin@south.example'), '1.86', 'Knee^Anna')
    expect(await refusal({ message: 'Is it the hip or the knee?' })).toEqual([200, undefined])
    expect(await refusal({ message: 'Hello', recipient: null })).toEqual([400, 'recipient'])
    expect(await refusal({ message: 'x'.repeat(501) })).toEqual([400, 'message'])
    expect(await refusal({ recipient: 'nobody' })).toEqual([400, 'recipient'])
  })
})

describe('a code to the recipient instead of a password', () => {
  it('goes to that address only, opens the link once, and names the address to the sender [P25]', async () => {
    const token = await share({ hasCode: true })
    const stranger = new Stranger(server)
    const page = await stranger.look(token)
    expect(page.data).toMatchObject({ hasPassword: false, codeGoesTo: 'a•••@elsewhere.example' })
    expect(page.raw.body).not.toMatch(/ada|Müller/)
    expect(await stranger.visit(token)).toMatchObject({ status: 400, code: 'WRONG_CODE' })
    expect((await stranger.askForCode(token)).status).toBe(200)
    const code = await codeAfter(null)
    expect(code).toMatch(/^\d{6}$/)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    expect(await stranger.visit(token, { code: wrong })).toMatchObject({ status: 400, code: 'WRONG_CODE' })
    expect((await stranger.visit(token, { code })).status).toBe(200)
    const other = new Stranger(server, '10.1.0.2')
    expect(await other.visit(token, { code })).toMatchObject({ status: 400, code: 'WRONG_CODE' })
    const [link] = (await admin.call(scan.listShares, input)).data
    expect(link).toMatchObject({ uses: 1, hasCode: true, visits: [{ email: recipient }] })
    // What is looked at and taken along by the link is recorded with the address that the code proved (P24).
    const root = `/dicom-web/shared/${link?.id}/studies/1.86.1`
    expect((await stranger.get(`${root}/metadata`)).statusCode).toBe(200)
    const { data: download } = await stranger.download(token)
    expect((await stranger.get(new URL(download.downloadUrl, 'http://x').pathname)).statusCode).toBe(200)
    const rows = await server.deps.db.selectFrom('audit').select(['event', 'subject']).orderBy('at').execute()
    const ofLink = rows.filter(({ subject }) => subject.shareId === link?.id && subject.email === recipient)
    expect(ofLink.map(({ event }) => event)).toEqual(['ShareUsed', 'ScanViewed', 'ScanDownloaded'])
    const events = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ShareUsed')
      .orderBy('position', 'desc')
      .execute()
    expect(events[0]?.subject).toMatchObject({ shareId: link?.id, email: recipient })
    expect(JSON.stringify(await server.deps.db.selectFrom('scan_shares').selectAll().execute())).not.toContain(code)
  })

  it('opens the link for one of two who send it at the same time [P25]', async () => {
    const previous = (await server.mailTo(recipient)).code
    const token = await share({ hasCode: true })
    await new Stranger(server).askForCode(token)
    const code = await codeAfter(previous)
    const both = ['10.1.0.3', '10.1.0.4'].map((address) => new Stranger(server, address).visit(token, { code }))
    expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it('is not sent again at once, however often somebody asks, and ends after ten minutes [P19]', async () => {
    const token = await share({ hasCode: true })
    const stranger = new Stranger(server)
    const previous = (await server.mailTo(recipient)).code
    await Promise.all(Array.from({ length: 5 }, () => stranger.askForCode(token)))
    const code = await codeAfter(previous)
    const sent = await server.deps.db
      .selectFrom('scan_shares')
      .select(['id', 'codes_sent', 'code_sent_date', 'code_expires_date'])
      .where('code_hash', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(sent.codes_sent).toBe(1)
    expect(Number(sent.code_expires_date) - Number(sent.code_sent_date)).toBe(10 * 60_000)
    const set = (values: object) =>
      server.deps.db.updateTable('scan_shares').set(values).where('id', '=', sent.id).execute()
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
    await set({ code_expires_date: ago(1) })
    expect(await stranger.visit(token, { code })).toMatchObject({ status: 400, code: 'WRONG_CODE' })
    await set({ code_sent_date: ago(61) })
    await stranger.askForCode(token)
    expect(await codeAfter(code)).toMatch(/^\d{6}$/)
    // After many codes that nobody used, the next one waits until the one before is over.
    await set({ codes_sent: 5, code_sent_date: ago(500) })
    await stranger.askForCode(token)
    const state = () =>
      server.deps.db.selectFrom('scan_shares').select('codes_sent').where('id', '=', sent.id).executeTakeFirst()
    expect(await state()).toEqual({ codes_sent: 5 })
    const unused = (await server.mailTo(recipient)).code
    await set({ code_sent_date: ago(601) })
    await stranger.askForCode(token)
    expect(await state()).toEqual({ codes_sent: 6 })
    // One that is used ends the waiting.
    expect((await stranger.visit(token, { code: await codeAfter(unused) })).status).toBe(200)
    await set({ code_sent_date: ago(61) })
    await stranger.askForCode(token)
    expect(await state()).toEqual({ codes_sent: 1 })
  })

  it('needs an address, stands in for a password, and is sent for no other link', async () => {
    expect(await refusal({ hasCode: true, recipient: null })).toEqual([400, 'recipient'])
    expect(await refusal({ hasCode: true, password: 'open sesame' })).toEqual([400, 'password'])
    const stranger = new Stranger(server)
    expect((await stranger.askForCode(await share())).status).toBe(404)
    expect((await stranger.askForCode('x'.repeat(43))).status).toBe(404)
  })
})
