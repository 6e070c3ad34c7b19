import * as email from '@dmp/contract/email'
import { reportError, settings } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs, someTokens } from '@dmp/kit/testing'
import { useSessionStore } from '../session/store.ts'
import { scrub } from './reportError.ts'

/** A fetch that answers with this response; for what a table of answers cannot say. */
beforeEach(() => {
  placeSettings()
  signInAs('staff')
})

describe('an application-error report', () => {
  const sent = async (line = answer(email.sendApplicationError, null)) => {
    const table = serve([line], '/api')
    return { reports: () => table.made.map(({ input }) => input) }
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
  beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => {}))
  afterEach(() => void jest.restoreAllMocks())

  it('names application, component, version and trace, and is sent once per error [3.17, 7.39]', async () => {
    const { reports } = await sent()
    const error = new Error('broken')
    reportError(error, 'remote-scan/detail')
    reportError(error, 'remote-scan/detail')
    await settled()
    expect(reports()).toEqual([
      {
        applicationName: settings().applicationName,
        applicationComponent: 'remote-scan/detail',
        version: 'v1.1.0',
        stackTrace: expect.stringContaining('Error: broken'),
      },
    ])
    for (let n = 0; n < 20; n++) reportError(new Error(`broken ${n}`), 'host')
    await settled()
    expect(reports()).toHaveLength(5)
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001)
    signInAs('staff')
    reportError(error, 'remote-scan/detail')
    await settled()
    expect(reports()).toHaveLength(6)
  })

  it('is only logged when the access token is not valid [7.39]', async () => {
    const { reports } = await sent()
    signInAs(null)
    reportError(new Error('broken while signed out'), 'host')
    signInAs('staff')
    useSessionStore.setState({ tokens: someTokens({ expireDate: new Date(Date.now() - 1000).toISOString() }) })
    reportError(new Error('broken after the token had ended'), 'host')
    await settled()
    expect(reports()).toEqual([])
    expect(console.error).toHaveBeenCalled()
  })

  it('says what was thrown where that is no error [3.17]', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 4 * 3_600_000)
    signInAs('staff')
    const { reports } = await sent()
    reportError('no error at all', 'host')
    await settled()
    expect(reports()).toEqual([expect.objectContaining({ stackTrace: 'no error at all' })])
  })

  it.each([
    ['Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJ'],
    ['at https://dmp.north.example:8443/releases/scan/main.js:1:2', 'north.example'],
    ['for ruth.sample@north.example', 'ruth'],
    ['Cannot show "Sample, Ruth"', 'Ruth'],
    ['/Scan/list?query=Ruth%20Sample', 'Ruth'],
    ['series 1.2.840.113619.2.55.3.604688', '113619'],
    ['complaint 00000000-0000-4000-9000-00000000000a', '4000'],
    ['key 0123456789abcdefghijklmnopqrstuv', '0123456789'],
  ])('is scrubbed: %s [8.04, P23]', (text, secret) => {
    expect(scrub(text)).not.toContain(secret)
    expect(scrub('at a '.repeat(4000))).toHaveLength(8000)
  })

  it('keeps where in the code it happened [3.17]', () => {
    expect(scrub('TypeError: x is undefined\n    at Detail (https://h.example/releases/scan/1/main.js:10:20)')).toBe(
      'TypeError: x is undefined\n    at Detail (/releases/scan/1/main.js:10:20)',
    )
  })
})
