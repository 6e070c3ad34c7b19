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
})
