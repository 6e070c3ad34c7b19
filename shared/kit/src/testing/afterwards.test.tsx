import * as complaint from '@dmp/contract/complaint'
import { aComplaint, anId } from '@dmp/contract/examples'
import { calls } from '@dmp/contract/calls'
import { call, drafts, onPersonChange, useAct, useData } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { notify, tasks } from '@dmp/kit/ui'
import { act, screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { answer, endTest, renderScreen, type Line, type ScreenOptions } from './index.tsx'
import { startLeak } from './startLeak.ts'
import { shownIn } from './staleLists.ts'

const change = { id: anId(10), severityId: anId(11) }
let answered = 0
const changes: Line = answer(complaint.updateSeverity, () => {
  answered += 1
  return aComplaint()
})
/** Clicks, and waits until the change is answered: the second click was made before. */
async function makeChange(user: { click(element: Element): Promise<void> }): Promise<void> {
  const before = answered
  await user.click(screen.getByRole('button'))
  await waitFor(() => expect(answered).toBeGreaterThan(before))
  // What follows an answer is done by then.
  await new Promise((resolve) => setTimeout(resolve, 50))
}
const draw = (ui: React.ReactNode, over: Partial<ScreenOptions> = {}) => renderScreen(ui, { at: '/', ...over })

describe('the end of a test finds what outlives its screen', () => {
  it.each(['interval', 'listener', 'channel'] as const)('%s', async (kind) => {
    let end: (() => void) | undefined
    function Leaky({ ends }: { ends: boolean }) {
      useEffect(() => {
        end = startLeak(kind)
        return ends ? end : undefined
      }, [ends])
      return null
    }
    draw(<Leaky ends />)
    expect(await endTest()).toEqual([])
    draw(<Leaky ends={false} />)
    expect(await endTest()).toEqual([
      expect.stringMatching(/^These outlive their screen and their person: .*startLeak/),
    ])
    end?.()
  })
})

describe('the end of a test finds what outlives its person', () => {
  it('in notices, tasks and drafts, unless the product forgets them [P23]', async () => {
    draw(null)
    act(() => {
      notify.info('Anna')
      tasks.put({ id: 'a', title: 'Anna', url: '/', percent: 1, state: 'running' })
      drafts.write('form', { name: 'Anna' })
    })
    expect(await endTest()).toEqual([])
    draw(null)
    const stop = onPersonChange(() => notify.info('Anna'))
    expect(await endTest()).toEqual(['These outlive their screen and their person: the notice “Anna”'])
    stop()
    notify.clear()
  })

  it('in requests that nobody stops', async () => {
    draw(null, { answers: [answer(complaint.get, 'pending')] })
    void call(complaint.get, { id: anId(10) })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await endTest()).toEqual([])
    draw(null, { answers: [answer(complaint.get, 'pending')] })
    void fetch(`${location.origin}/api/Complaint/get?id=${anId(10)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await endTest()).toEqual(['These outlive their screen and their person: the request GET /Complaint/get'])
  })
})

describe('the end of a test finds a change', () => {
  it('that a second click makes again', async () => {
    function Hasty() {
      return <button onClick={() => void call(complaint.updateSeverity, change)}>Change</button>
    }
    function Careful() {
      const { act: make, busy } = useAct(complaint.updateSeverity, { refreshes: [complaint.list] })
      return (
        <button disabled={busy} onClick={() => void make(change)}>
          Change
        </button>
      )
    }
    const { user } = draw(<Careful />, { answers: [changes] })
    await makeChange(user)
    expect(await endTest()).toEqual([])
    const { user: hasty } = draw(<Hasty />, { answers: [changes] })
    await makeChange(hasty)
    expect(await endTest()).toContain('A second click makes the change again: PUT /Complaint/updateSeverity/:id')
  })

  it('after which a list shows what is no longer true', async () => {
    function Change() {
      const { act: make, busy } = useAct(complaint.updateSeverity)
      return (
        <button disabled={busy} onClick={() => void make(change)}>
          Change
        </button>
      )
    }
    const { user } = draw(<Change />, { answers: [changes] })
    await makeChange(user)
    expect(await endTest()).toEqual([
      'Lists show what is no longer true: after PUT /Complaint/updateSeverity/:id, GET /Complaint/list is not asked again',
    ])
  })
})

it('finds a call without an answer, and prints nothing of an error that the screen shows', async () => {
  const printed = jest.spyOn(console, 'error')
  function Reading() {
    useData(complaint.get, { id: anId(10) })
    return null
  }
  draw(
    <Screen title="Reading">
      <Reading />
    </Screen>,
  )
  await screen.findByText(/No line in the answers table/)
  expect(await endTest()).toEqual(['The answers table has no line for: GET /Complaint/get'])
  expect(printed).not.toHaveBeenCalled()
  printed.mockRestore()
})

/** Changes that no screen shows, or that only another person's screen could show. */
const shownNowhere =
  /account\/(addFirstAdministrator|announceLaunch|checkSetupLink|forgotPassword|login|logout|renewToken|reset|respond|setNew|signOut)|ApiToken\/(approve|deny|get)Device|Audit\/export|resetTemporaryPassword|sendUpdatedTermsOfUse|Email\/|\/list[A-Z]|Override\/|Registration\/add|Release\/(activate|addDrawn|addMaps|addRound|judgeRound|openPreview|preview$|publish|report|sign|startCanary)|Station\/tell|Scan\/(download|getShared|getUploader|openShared|saveHeldChoice|sendShareCode|visitShared|watchShared)/

it('knows of every change of the contract where it is shown', () => {
  const named = new Set(shownIn.map(([{ name }]) => name))
  const unknown = calls.filter(
    ({ name, definition: { method } }) => method !== 'GET' && !named.has(name) && !shownNowhere.test(name),
  )
  expect(unknown.map(({ name }) => name)).toEqual([])
  expect(shownIn.every(([, reads]) => reads.every(({ name }) => calls.some((other) => other.name === name)))).toBe(true)
})

it('waits for a change that a test leaves under way, before it looks for lists that show what was', async () => {
  const refreshes = [complaint.list]
  function Forgetful({ forgets }: { forgets: boolean }) {
    const { act: begin, busy } = useAct(complaint.updateSeverity, forgets ? {} : { refreshes })
    return (
      <button disabled={busy} onClick={() => void begin(change)}>
        Change
      </button>
    )
  }
  for (const forgets of [false, true]) {
    const { user, calls: made } = draw(<Forgetful forgets={forgets} />, { answers: [changes] })
    await user.click(screen.getByRole('button'))
    await waitFor(() => expect(made(complaint.updateSeverity)).toHaveLength(1))
    expect(await endTest()).toEqual(
      forgets
        ? [
            `Lists show what is no longer true: after ${complaint.updateSeverity.name}, ${complaint.list.name} is not asked again`,
          ]
        : [],
    )
  }
})
