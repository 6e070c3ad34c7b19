import { Alert, Button } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'

describe('a button', () => {
  it('does nothing and sends no form while what it asked for is under way', async () => {
    const ask = jest.fn()
    const send = jest.fn((event: { preventDefault: () => void }) => event.preventDefault())
    const { user } = renderScreen(
      <form onSubmit={send}>
        <Button htmlType="submit" loading onClick={ask}>
          Save
        </Button>
        <Button onClick={ask}>Look</Button>
      </form>,
      { at: '/' },
    )
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect([ask.mock.calls.length, send.mock.calls.length]).toEqual([0, 0])

    await user.click(screen.getByRole('button', { name: 'Look' }))
    expect([ask.mock.calls.length, send.mock.calls.length]).toEqual([1, 0])
  })
})

describe('an alert', () => {
  it('is read out, and put away by its cross', async () => {
    const close = jest.fn()
    const { user } = renderScreen(
      <Alert
        type="error"
        showIcon
        title="Not saved"
        description="Try again."
        closable={{ onClose: close, 'aria-label': 'Close alert' }}
      />,
      { at: '/' },
    )
    expect(screen.getByRole('alert')).toHaveTextContent('Not savedTry again.')
    await user.click(screen.getByRole('button', { name: 'Close alert' }))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(close).toHaveBeenCalledTimes(1)
  })
})
