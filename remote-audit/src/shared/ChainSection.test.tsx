import { audit } from '@dmp/contract'
import { anAuditCheck, anAuditRow } from '@dmp/contract/examples'
import type { AuditCheck } from '@dmp/contract/audit'
import { answer, expectAskedEvery, renderScreen } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const show = (check: AuditCheck | null, as: 'admin' | 'sys_admin' | 'super_admin' = 'admin', afterwards = check) =>
  renderScreen(<App notFound={null} />, {
    at: '/audit',
    as,
    answers: [
      answer(audit.list, { rows: [anAuditRow()], total: 1 }),
      answer(audit.listEvents, []),
      answer(audit.getLastCheck, { check }),
      answer(audit.check, { check: afterwards }),
    ],
  })
const section = async () => screen.findByRole('region', { name: 'Audit chain' })

describe('the audit chain on the screen', () => {
  it('says when it was last checked, by whom, and that it is intact [P24]', async () => {
    show(anAuditCheck({ isWhole: true, chains: 3 }), 'super_admin')
    const chain = within(await section())
    expect(await chain.findByText('Intact')).toBeVisible()
    expect(await section()).toHaveTextContent(/1,234 records of 3 chains, checked .*2026.* by Ms Ada Berg\./)
    expect(await section()).toHaveTextContent('Compared with 12 heads kept outside of the database.')
  })

  it.each([
    [{ rows: 1, chains: 1, heads: 1, isWhole: true }, /^.*1 record of 1 chain, checked .*Compared with 1 head kept/],
    [
      { rows: 2, isWhole: false, requestedBy: null },
      /2 records, checked [^.]*(?:am|pm) [^.]*\d\.Compared with 12 heads/,
    ],
  ])('counts in words, by nobody where no person asked for it: %j', async (over, said) => {
    show(anAuditCheck(over))
    await screen.findByText('Intact')
    expect(await section()).toHaveTextContent(said)
    expect((await section()).textContent?.includes(' by ')).toBe(!('requestedBy' in over))
  })

  it('is asked how far a check is while somebody looks at the page, and at once when somebody does again', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { calls } = show(anAuditCheck({ state: 'running', finishedAt: null }))
    await screen.findByRole('button', { name: /Checking…/ })
    await expectAskedEvery(2000, () => calls(audit.getLastCheck).length)
    jest.useRealTimers()
  })

  it('says how a check ended, however long the answer takes', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    let ms = 0
    let check = anAuditCheck({ state: 'running', finishedAt: null })
    renderScreen(<App notFound={null} />, {
      at: '/audit',
      as: 'admin',
      answers: [
        answer(audit.list, { rows: [anAuditRow()], total: 1 }),
        answer(audit.listEvents, []),
        answer(audit.getLastCheck, () => new Promise((reply) => void setTimeout(() => reply({ check }), ms)) as never),
      ],
    })
    await screen.findByRole('button', { name: /Checking…/ })
    ms = 4000
    check = anAuditCheck({ isWhole: true })
    await act(() => jest.advanceTimersByTimeAsync(6000))
    expect(screen.getByText('Intact')).toBeVisible()
    jest.useRealTimers()
  })

  it('is checked once, however often the button is pressed while a check runs [P24]', async () => {
    const { user, calls } = show(anAuditCheck({ state: 'running', finishedAt: null }))
    await user.click(await screen.findByRole('button', { name: /Checking…/ }))
    expect(calls(audit.check)).toEqual([])
  })

  it.each([
    [1, null],
    [2, '1 further break'],
  ])('says of %d breaks how many more there are', async (breakCount, said) => {
    const breaks = Array.from({ length: breakCount }, (_, n) => ({
      organization: 'North-Clinic',
      position: n,
      text: `Record ${n} was changed.`,
      advice: 'Ask the operator.',
    }))
    show(anAuditCheck({ state: 'broken', breakCount, breaks }))
    const alert = await screen.findByRole('alert')
    expect(within(alert).queryByText(/further break/)?.textContent ?? null).toBe(said)
  })

  it('is not called intact where no head outside of the database says so [P24]', async () => {
    show(anAuditCheck({ heads: 0 }))
    expect(await screen.findByText('Not judged')).toBeVisible()
    expect(within(await section()).queryByText('Intact')).toBeNull()
    expect(await section()).toHaveTextContent('deleted newest records cannot be seen. Ask the operator for the heads.')
  })

  it('names the first break and what to do, and counts the others [P24]', async () => {
    const found = (position: number) => ({
      organization: 'North-Clinic',
      position,
      text: `Record ${position} was changed.`,
      advice: 'Do not change the database.',
    })
    show(anAuditCheck({ state: 'broken', breakCount: 3, breaks: [found(17), found(18), found(19)], heads: 0 }))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('The audit chain of North-Clinic is broken at record 17.')
    expect(alert).toHaveTextContent('Record 17 was changed.Do not change the database.2 further breaks')
    expect(within(await section()).queryByText('Intact')).toBeNull()
    expect(await section()).toHaveTextContent('deleted newest records cannot be seen')
  })

  it('is checked by a button, and follows the check [P24]', async () => {
    const { user, calls } = show(null, 'admin', anAuditCheck({ state: 'running', rows: 1000, finishedAt: null }))
    expect(await screen.findByText('Not checked yet')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Check now' }))
    expect(await screen.findByText('1,000 records so far. You can leave this page.')).toBeVisible()
    const asked = calls(audit.getLastCheck).length
    await waitFor(() => expect(calls(audit.getLastCheck).length).toBeGreaterThan(asked), { timeout: 4000 })
    expect(calls(audit.check)).toHaveLength(1)
  })

  it('says so where a check ended without a verdict [P24]', async () => {
    show(anAuditCheck({ state: 'stopped', finishedAt: null }))
    expect(await screen.findByText('No verdict')).toBeVisible()
    expect(await section()).toHaveTextContent(/The check of .*2026.* has no verdict/)
  })

  it('is not shown to who may not check it [P01]', async () => {
    show(anAuditCheck(), 'sys_admin')
    await screen.findByRole('table', { name: 'Audit' })
    expect(screen.queryByRole('region', { name: 'Audit chain' })).toBeNull()
  })
})
