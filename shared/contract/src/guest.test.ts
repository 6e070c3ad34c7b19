import { calls } from './calls.ts'
import { isOpenToGuests } from './guest.ts'

const named = (name: string) => calls.filter((call) => call.name.toLowerCase().includes(name.toLowerCase()))

describe('calls that no guest makes, whatever it declares', () => {
  it.each([
    '/account/',
    '/ApiToken/',
    '/DicomPartner/',
    '/Release/',
    '/Webhook/',
    '/businessUser/add',
    '/businessUser/update',
    '/businessUser/resetTemporaryPassword',
    '/Registration/approve',
    '/Organization/startExport',
    '/Organization/downloadExport',
    '/Organization/startImport',
    '/Scan/share',
    '/Scan/transfer/',
    '/Scan/download',
    '/Scan/decideHeld',
    '/Scan/openShared',
    '/Scan/sendShareCode',
  ])('are those of the contract that begin with %s', (start) => {
    const found = named(start)
    expect(found.length).toBeGreaterThan(0)
    for (const { name } of found) expect([name, isOpenToGuests(name)]).toEqual([name, false])
  })

  it('stay closed in another spelling, and what is no call is none', () => {
    for (const call of [
      'POST /scan/SHARE/:organizationId',
      'POST /SCAN/share',
      'GET //Scan/list',
      'GET /Scan',
      'Scan/list',
    ])
      expect([call, isOpenToGuests(call)]).toEqual([call, false])
  })

  it.each([
    'GET /Scan/list',
    'GET /Scan/listShares',
    'GET /Complaint/list',
    'POST /Complaint/add',
    'GET /businessUser/list',
  ])('are not what a part works with: %s', (call) => expect(isOpenToGuests(call)).toBe(true))
})
