import { toReason } from './toReason.ts'

describe('the reason of a failed smoke journey', () => {
  it('is said in a sentence, with what a list held that should have been empty', () => {
    const message =
      'Error: nothing that the gates watch went wrong\n\nexpect(received).toEqual(expected)\n\n- Array []\n+ Array [\n+   "console error: TypeError: x",\n+ ]'
    expect(toReason([message])).toBe('nothing that the gates watch went wrong: console error: TypeError: x')
    expect(
      toReason([
        'Error: its first screen shows no error\n\nexpect(locator).toHaveCount(0)',
        'Error: its first screen shows no error\n',
      ]),
    ).toBe('its first screen shows no error')
  })

  it.each([
    'Test timeout of 60000ms exceeded.',
    'TimeoutError: page.goto: Timeout 30000ms exceeded.\nCall log:\n  - …',
  ])('is that the page hangs, where a browser was waited for: %s', (message) =>
    expect(toReason([message])).toMatch(/^the page did not answer in time: .*\(an endless loop\)$/),
  )

  it('keeps what was waited for on the page', () => {
    const message =
      "TimeoutError: locator.click: Timeout 3000ms exceeded.\nCall log:\n  - waiting for getByRole('button')"
    expect(toReason([message])).toBe('TimeoutError: locator.click: Timeout 3000ms exceeded.')
  })
})
