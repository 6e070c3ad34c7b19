import {
  closedPolicy,
  contentPolicy,
  smallPagePolicy,
  viewerPolicy,
  watchPolicy,
  workerPolicy,
} from './contentSecurityPolicy.ts'

const directives = (policy: string): Record<string, string> =>
  Object.fromEntries(policy.split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]))
const settings = { apiRoot: '/api', liveUrl: '/live' }
const closed = { 'default-src': "'none'", 'object-src': "'none'", 'base-uri': "'none'", 'frame-ancestors': "'none'" }
const page = { ...closed, 'img-src': "'self' data: blob:", 'font-src': "'self'", 'form-action': "'self'" }
const trusted = { 'require-trusted-types-for': "'script'", 'trusted-types': 'default dmp-watch' }

describe('the content security policy says all of this and nothing else', () => {
  it('for a page [P30]', () => {
    expect(directives(contentPolicy({ nonce: 'n', settings }))).toEqual({
      ...page,
      ...trusted,
      'script-src': "'self' 'nonce-n'",
      'style-src': "'self' 'nonce-n'",
      'connect-src': "'self'",
    })
  })

  it('for a page with releases and a live channel elsewhere [P30]', () => {
    const releases = 'https://cdn.example/dmp'
    const away = { apiRoot: 'https://api.example/v1', liveUrl: 'wss://live.example/live' }
    expect(directives(contentPolicy({ nonce: '', settings: away, releases }))).toEqual({
      ...page,
      ...trusted,
      'script-src': "'self' https://cdn.example",
      'style-src': "'self' https://cdn.example",
      'img-src': "'self' data: blob: https://cdn.example",
      'font-src': "'self' https://cdn.example",
      'connect-src': "'self' https://api.example wss://live.example https://cdn.example",
    })
  })

  it('for a browser that is allowed a development server [P30]', () => {
    const overrides = [{ part: 'remote-scan', address: 'http://localhost:4301' }] as never
    const { 'script-src': scripts, 'connect-src': connections } = directives(
      contentPolicy({ nonce: 'n', settings, overrides }),
    )
    expect(scripts).toBe("'self' 'nonce-n' http://localhost:4301")
    expect(connections).toBe("'self' http://localhost:4301 ws://localhost:4301")
  })

  it('for the image viewer and its workers [P30]', () => {
    expect(directives(viewerPolicy())).toEqual({
      ...page,
      'script-src': "'self' 'wasm-unsafe-eval'",
      'style-src': "'self'",
      'worker-src': "'self'",
      'connect-src': "'self'",
    })
    expect(directives(viewerPolicy('n'))['script-src']).toBe("'self' 'wasm-unsafe-eval' 'nonce-n'")
    expect(directives(workerPolicy)).toEqual({
      ...closed,
      'script-src': "'self' 'wasm-unsafe-eval'",
      'connect-src': "'self'",
    })
  })

  it('for the worker of the host’s pages, which reaches the API and nothing else [P30]', () => {
    const { 'form-action': _forms, ...rest } = directives(watchPolicy({ apiRoot: 'https://api.example/api/' }))
    expect(rest).toEqual({ ...closed, 'connect-src': "'self' https://api.example" })
  })

  it('for the server’s own small pages, and for answers that are no pages [P30]', () => {
    const small = { ...closed, 'style-src': "'nonce-n'", 'form-action': "'none'" }
    expect(directives(smallPagePolicy('n', false))).toEqual(small)
    expect(directives(smallPagePolicy('n', true))).toEqual({
      ...small,
      'script-src': "'self'",
      'connect-src': "'self'",
    })
    expect(directives(closedPolicy)).toEqual({ ...closed, 'form-action': "'none'" })
  })
})
