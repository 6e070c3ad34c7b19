import { audit } from '@dmp/contract'
import { anActivity, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { ActivitySection } from './ActivitySection.tsx'

/** The file with the sentences comes by a line of its own, which may break. */
let mockBroken = true
jest.mock('./ActivityDays.tsx', () => {
  if (mockBroken) throw new Error('Loading chunk 7 failed.')
  return jest.requireActual('./ActivityDays.tsx')
})

const draw = (reply: Parameters<typeof answer<typeof audit.listActivity>>[1]) =>
  renderScreen(<ActivitySection of={{ organizationId: northClinic.id, studyUID: '2.25.100' }} />, {
    at: '/',
    as: 'admin',
    answers: [answer(audit.listActivity, reply)],
  })

describe('activity whose sentences do not come', () => {
  it('says why nothing came at all, once', async () => {
    draw(new CallError(503, 'NOT_READY', 'The database is restarting.'))
    expect(await screen.findByText('The database is restarting.')).toBeVisible()
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })

  it('says that it could not be shown, and shows it once they come', async () => {
    const { user } = draw({ rows: [anActivity({ event: 'ScanViewed' })], total: 1 })
    expect(await screen.findByText('This part of the page could not be shown.')).toBeVisible()
    expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
    expect(screen.queryByRole('listitem')).toBeNull()
    mockBroken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('listitem')).toHaveTextContent('Ms Ada Berg viewed MR Knee')
    expect(screen.queryByText('This part of the page could not be shown.')).toBeNull()
  })
})
