import * as complaint from '@dmp/contract/complaint'
import { aComplaintRow, anId } from '@dmp/contract/examples'
import { call } from '@dmp/kit'
import { placeSettings, signInAs } from '@dmp/kit/testing'
import { passRequestsTo, type Asked } from './passage.ts'

it('hands every request of a guest to the page around it, and sends none itself [P30]', async () => {
  placeSettings()
  signInAs('staff')
  const sent = jest.fn()
  globalThis.fetch = sent
  const asked: Asked[] = []
  passRequestsTo(async (one) => {
    asked.push(one)
    return { data: [aComplaintRow({ complaintNumber: 'C-7' })], total: 1 }
  })
  const id = anId(1)
  const seenUpdatedDate = '2026-05-05T09:00:00.000Z'
  expect((await call(complaint.list, { page: 2 })).rows[0]?.complaintNumber).toBe('C-7')
  await call(complaint.updateStatus, { id, statusId: anId(2), comment: 'Done.', seenUpdatedDate }).catch(
    () => undefined,
  )
  expect(asked).toEqual([
    { name: complaint.list.name, method: 'GET', path: '/Complaint/list', query: { page: '2' }, body: {} },
    {
      name: complaint.updateStatus.name,
      method: 'PUT',
      path: `/Complaint/updateStatus/${id}`,
      query: {},
      body: { statusId: anId(2), comment: 'Done.' },
      seenUpdatedDate,
    },
  ])
  expect(sent).not.toHaveBeenCalled()
})
