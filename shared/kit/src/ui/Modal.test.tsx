import { Modal } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'

describe('a dialog', () => {
  // jsdom has no layout; a browser says so itself which controls are there.
  beforeEach(() => void jest.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList))
  afterEach(() => void jest.restoreAllMocks())

  it('begins at its first field that can be filled in, not at the cross [P29, P78]', async () => {
    renderScreen(
      <Modal open title="Ask" footer={null} onCancel={() => undefined}>
        <input aria-label="fixed" disabled />
        <input aria-label="wanted" />
      </Modal>,
      { at: '/' },
    )
    await waitFor(() => expect(screen.getByLabelText('wanted')).toHaveFocus())
  })

  it.each([
    [true, 0],
    [false, 1],
  ])('asked for less motion (%p) grows in so many classes: %i [P29]', async (isStill, count) => {
    const { matchMedia } = globalThis
    jest
      .spyOn(globalThis, 'matchMedia')
      .mockImplementation((media) =>
        Object.assign(Object.create(matchMedia(media)), { matches: isStill && media.includes('reduced-motion') }),
      )
    renderScreen(
      <Modal open title="Ask" footer={null} onCancel={() => undefined}>
        Sure?
      </Modal>,
      { at: '/' },
    )
    await screen.findByRole('dialog', { name: 'Ask' })
    expect(document.querySelectorAll('.ant-modal[class*="-appear"]')).toHaveLength(count)
  })

  it('keeps Tab going round inside it, both ways [P29]', async () => {
    const { user } = renderScreen(
      <>
        <button type="button">behind</button>
        <Modal
          open
          title="Ask"
          closable={false}
          footer={
            <>
              <button type="button">one</button>
              <button type="button">two</button>
            </>
          }
        >
          Sure?
        </Modal>
      </>,
      { at: '/' },
    )
    await screen.findByRole('dialog', { name: 'Ask' })
    screen.getByRole('button', { name: 'two' }).focus()
    await user.tab()
    expect(screen.getByRole('button', { name: 'one' })).toHaveFocus()
    await user.tab({ shift: true })
    expect(screen.getByRole('button', { name: 'two' })).toHaveFocus()
  })

  it('brings Tab back from behind it, and leaves it alone in between and where somebody else took it [P29]', async () => {
    const { user } = renderScreen(
      <>
        <button type="button">behind</button>
        <button type="button">also behind</button>
        <Modal open title="Ask" closable={false} footer={<button type="button">two</button>}>
          <button type="button">one</button>
        </Modal>
      </>,
      { at: '/' },
    )
    const dialog = await screen.findByRole('dialog', { name: 'Ask' })
    const [behind, one, two] = ['behind', 'one', 'two'].map((name) => screen.getByText(name))
    one!.focus()
    await user.tab()
    expect(two).toHaveFocus()
    await user.tab({ shift: true })
    expect(one).toHaveFocus()
    behind!.focus()
    await user.tab()
    expect(one).toHaveFocus()
    dialog.focus()
    await user.tab({ shift: true })
    expect(two).toHaveFocus()
    const taken = (event: KeyboardEvent) => event.preventDefault()
    two!.addEventListener('keydown', taken)
    await user.tab()
    expect(two).toHaveFocus()
  })

  it('that is not open takes no key and no focus', async () => {
    const { user } = renderScreen(
      <>
        <button type="button">one</button>
        <button type="button">two</button>
        <Modal open={false} title="Ask" footer={null} onCancel={() => undefined} />
      </>,
      { at: '/' },
    )
    screen.getByRole('button', { name: 'one' }).focus()
    await user.tab()
    expect(screen.getByRole('button', { name: 'two' })).toHaveFocus()
    expect(screen.queryByRole('dialog', { hidden: true })).not.toBeInTheDocument()
  })

  it('passes over what is not to be seen in it [P29]', async () => {
    jest.spyOn(Element.prototype, 'getClientRects').mockImplementation(function rects(this: Element) {
      return (this.textContent === 'unseen' ? [] : [{}]) as unknown as DOMRectList
    })
    const { user } = renderScreen(
      <Modal
        open
        title="Ask"
        closable={false}
        footer={
          <>
            <button type="button">one</button>
            <button type="button">two</button>
            <button type="button">unseen</button>
          </>
        }
      >
        Sure?
      </Modal>,
      { at: '/' },
    )
    await screen.findByRole('dialog', { name: 'Ask' })
    screen.getByRole('button', { name: 'two' }).focus()
    await user.tab()
    expect(screen.getByRole('button', { name: 'one' })).toHaveFocus()
  })
})

it('gives the focus back to what opened it, also when it is taken away at once [P29]', async () => {
  function Opener() {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          open
        </button>
        {isOpen && (
          <Modal
            open
            title="Ask"
            onCancel={() => setOpen(false)}
            footer={
              <button type="button" onClick={() => setOpen(false)}>
                done
              </button>
            }
          />
        )}
      </>
    )
  }
  const { user } = renderScreen(<Opener />, { at: '/' })
  await user.click(screen.getByRole('button', { name: 'open' }))
  await user.click(await screen.findByRole('button', { name: 'done' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'open' })).toHaveFocus())
})
