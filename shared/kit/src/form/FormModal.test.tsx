import { exact, required } from '@dmp/contract/fields'
import { CallError } from '@dmp/kit'
import { Link, Route, Routes } from '@dmp/kit/router'
import { renderScreen, type Line } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { FormModal, TextAreaField } from './index.ts'

const draw = (ui: React.ReactNode, answers: readonly Line[] = []) =>
  renderScreen(
    <Routes>
      <Route
        path="/form"
        element={
          <>
            {ui}
            <Link to="/else">elsewhere</Link>
          </>
        }
      />
      <Route path="/else" element={<p>elsewhere now</p>} />
    </Routes>,
    { at: '/form', answers },
  )

describe('FormModal', () => {
  afterEach(() => jest.restoreAllMocks())
  const ask = (onClose: () => void, answers: readonly Line[] = []) =>
    draw(
      <FormModal
        title="Reject"
        schema={exact({ comment: required() })}
        call={async () => {
          throw new CallError(409, 'GONE', 'Somebody was faster.')
        }}
        submitLabel="Submit"
        onClose={onClose}
        onDone={onClose}
      >
        <TextAreaField name="comment" label="Comment" />
      </FormModal>,
      answers,
    )

  it('is a dialog named by its title whose error can be closed [8.03, 5.10]', async () => {
    const { user } = ask(() => {})
    const dialog = await screen.findByRole('dialog', { name: 'Reject' })
    expect(within(dialog).getByRole('button', { name: 'Submit' })).toBeDisabled()
    await user.type(within(dialog).getByLabelText('Comment'), 'No.')
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Somebody was faster.')
    await user.click(within(dialog).getByRole('button', { name: 'Close alert' }))
    await waitFor(() => expect(within(dialog).queryByRole('alert')).not.toBeInTheDocument())
  })

  it('leads to what is needed where it is longer than the window, and may show its buttons without that field', async () => {
    const { unmount } = ask(() => {})
    const short = within(await screen.findByRole('dialog', { name: 'Reject' }))
    expect(short.getByRole('button', { name: 'Submit' })).toHaveAccessibleDescription('Still needed: Comment.')
    expect(short.queryByRole('button', { name: 'Still needed: Comment.' })).not.toBeInTheDocument()
    unmount()
    // Nothing has a height here, unless it is said.
    jest.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(1000)
    const { user } = ask(() => {})
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject' }))
    const way = dialog.getByRole('button', { name: 'Still needed: Comment.' })
    expect(dialog.getByRole('button', { name: 'Submit' })).toHaveAccessibleDescription('Still needed: Comment.')
    way.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(dialog.getByLabelText('Comment')).toHaveFocus())
    await user.type(dialog.getByLabelText('Comment'), 'No.')
    expect(way).not.toBeInTheDocument()
  })

  it('stays when somebody clicks beside it', async () => {
    const onClose = jest.fn()
    ask(onClose)
    const beside = (await screen.findByRole('dialog', { name: 'Reject' })).parentElement!
    fireEvent.mouseDown(beside)
    fireEvent.mouseUp(beside)
    fireEvent.click(beside)
    expect(onClose).not.toHaveBeenCalled()
  })

  it('closes at once where nothing is typed, and over what is typed once that is given up [P27]', async () => {
    const onClose = jest.fn()
    const { user } = ask(onClose)
    await screen.findByLabelText('Comment')
    await user.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledTimes(1)
    await user.type(screen.getByLabelText('Comment'), 'No.')
    expect(Object.keys(sessionStorage)).toHaveLength(1)
    await user.keyboard('{Escape}')
    const question = within(await screen.findByRole('dialog', { name: 'Close without saving?' }))
    // The last is the answer; the first is the cross.
    await user.click(question.getAllByRole('button', { name: 'Close' }).at(-1)!)
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2))
    expect(Object.keys(sessionStorage)).toEqual([])
  })

  it('asks before it closes over something typed, and Cancel gives it up [P27]', async () => {
    const onClose = jest.fn()
    const { user } = ask(onClose)
    await user.type(await screen.findByLabelText('Comment'), 'No.')
    await user.keyboard('{Escape}')
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Close without saving?' })).getByRole('button', {
        name: 'Stay',
      }),
    )
    expect(onClose).not.toHaveBeenCalled()
    expect(screen.queryByRole('dialog', { name: 'Close without saving?' })).not.toBeInTheDocument()
    expect(Object.keys(sessionStorage)).toHaveLength(1)
    await user.click(within(screen.getByRole('dialog', { name: 'Reject' })).getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledTimes(1)
    expect(Object.keys(sessionStorage)).toEqual([])
  })
})
