import { complaint, limits } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { sql } from 'kysely'
import { forgetFacts } from '../../db/inboxFacts.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { readInbox } from './inboxInTests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const complain = async (who: SignedIn): Promise<string> => {
  const draft = { moduleId: moduleIds.Scan, typeId: complaintTypes[0]?.id ?? '', description: 'It jumps.' }
  return (await who.call(complaint.add, draft)).data.id
}

describe('the inbox of the provider', () => {
  it('keeps what one customer told beside the flood of another [P18, P47, P63]', async () => {
    const [south, north, sys] = await Promise.all(
      ['admin@south.example', 'staff', 'sys_admin'].map((who) => server.signIn(who)),
    )
    if (!south || !north || !sys) throw new Error('nobody')
    const [ofSouth, ofNorth] = [await complain(south), await complain(north)]
    // As many complaints as an organization makes within months, later than that of the other.
    await sql`insert into inbox_facts (kind, subject, actor_id, about_organization_id, created_date)
      select kind, subject, actor_id, about_organization_id, created_date + number * interval '1 hour'
      from inbox_facts, generate_series(1, ${limits.inboxMostEntries}::int) number
      where subject = ${ofNorth} and kind = 'ComplaintMade'`.execute(server.deps.db)
    const links = async () => (await readInbox(sys, 'ComplaintMade')).entries.map(({ link }) => link)
    expect(await links()).toContain(`/complaint/detail/${ofSouth}`)
    expect(await links()).toContain(`/complaint/detail/${ofNorth}`)
    await forgetFacts(limits.inboxDays, limits.inboxMostEntries).execute(server.deps.db)
    expect(await links()).toContain(`/complaint/detail/${ofSouth}`)
    const { rows } = await sql<{ kept: number }>`select count(*)::int as kept from inbox_facts
      where user_id is null and organization_id is null`.execute(server.deps.db)
    expect(rows[0]?.kept).toBe(limits.inboxMostEntries)
  })
})
