import { readRefusal, readStored, retryAfter, toUnreachable, wrongHost } from './answer.ts'

describe('what the server answers', () => {
  it('is read as stored, a duplicate, or refused with its reason [2.41]', () => {
    const item = (more = {}) => ({ Value: [{ '00081155': { Value: ['1.2'] }, ...more }] })
    expect(readStored({ '00081199': item() })).toEqual({ kind: 'stored' })
    expect(readStored({ '00081199': item({ '00081196': { Value: [0xb007] } }) })).toEqual({ kind: 'duplicate' })
    expect(readStored({ '00081198': item({ '00000902': { Value: ['Too deep.'] } }) })).toEqual({
      kind: 'refused',
      reason: 'Too deep.',
    })
    expect(readStored({ '0008119A': item({ '00000902': { Value: ['Not DICOM.'] } }) })).toEqual({
      kind: 'refused',
      reason: 'Not DICOM.',
    })
  })

  it.each([[undefined], [null], ['<html>'], [{}], [[]]])('is nothing to go by when it is %j [P28]', (body) => {
    expect(readStored(body)).toBeUndefined()
  })

  it('gives words and patience of an error, also where something else than the product answered [2.41, P28]', async () => {
    const error = Response.json(
      { code: 'TOO_MANY', message: 'Slow down.' },
      { status: 429, headers: { 'retry-after': '7' } },
    )
    expect(await readRefusal(error)).toEqual({
      status: 429,
      code: 'TOO_MANY',
      message: 'Slow down.',
      retryAfterMs: 7000,
    })
    expect(await readRefusal(new Response('<html>Bad gateway</html>', { status: 502 }))).toEqual({
      status: 502,
      code: '',
      message: 'The server responded with 502.',
      retryAfterMs: undefined,
    })
  })

  it.each([
    [500, '', false],
    [501, '', false],
    [502, '', true],
    [503, '', true],
    [503, 'BUSY', false],
  ])('with %i and the code %j is that of a server which is gone: %p [P28]', (status, code, isGone) => {
    expect(toUnreachable({ status, code, message: 'In words.', retryAfterMs: undefined }).isGone).toBe(isGone)
  })

  it.each([['null'], ['"no"'], ['7'], ['{"code":5,"message":{}}']])('of %s is an error without words', async (body) => {
    const refusal = await readRefusal(new Response(body, { status: 500 }))
    expect(refusal).toMatchObject({ code: '', message: 'The server responded with 500.' })
  })

  it('to another name says which one, where it is known', () => {
    expect(wrongHost('https://dmp.test:4443/x', 'Unknown host.')).toMatch(
      /^dmp\.test:4443 does not answer to this name\. Unknown host\./,
    )
    expect(wrongHost('', 'Unknown host.')).toMatch(/^The server does not answer/)
  })

  it.each([
    ['0', 0],
    ['7', 7000],
    ['-1', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['1e999', undefined],
  ])('that asks for a pause of %j gets one of %s milliseconds [P28]', (words, pause) => {
    expect(retryAfter(new Response(null, { headers: { 'retry-after': words } }))).toBe(pause)
  })
})
