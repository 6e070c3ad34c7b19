import { createRequire } from 'node:module'
import vm from 'node:vm'
import { pageGroundScript, partWatch } from './pageGround.ts'

const require = createRequire(import.meta.url)
const { JSDOM } = createRequire(require.resolve('jest-environment-jsdom'))('jsdom') as {
  JSDOM: new (html: string, options: object) => { window: Page }
}

/** What of a browser is used here; the server itself is compiled without. */
interface Page {
  eval(code: string): unknown
  close(): void
}

let page: Page
const pages: Page[] = []
beforeEach(() => {
  page = new JSDOM(`<!doctype html><title>the page</title>${pageGroundScript('n')}`, {
    url: 'https://dmp.example/scan',
    runScripts: 'dangerously',
  }).window
  pages.push(page)
})
afterAll(() => pages.forEach((one) => one.close()))

/** Runs code as a script of a release, or of nobody. */
const run = (code: string, part?: string): unknown =>
  page.eval(
    part === undefined ? code : `${code}\n//# sourceURL=https://dmp.example/releases/${part}/0123456789abcdef/App.js`,
  )
const leave = (part: string): string => String(run(`dmpGround.leave('${part}')().join()`))

describe('what all parts stand on', () => {
  it.each([
    ['Array.prototype.map = () => []', "String([1].map(() => 'as it was'))"],
    ['Array.prototype.push = () => 0', "(() => { const list = []; list.push('as it was'); return list[0] })()"],
    ["Object.prototype.toString = () => 'x'", "({}).toString() === 'x' ? 'replaced' : 'as it was'"],
    ["Function.prototype.call = () => 'x'", "(function () { return this.s }).call({ s: 'as it was' })"],
    [
      "WeakMap.prototype.get = () => 'replaced'",
      "(() => { const key = {}; return new WeakMap([[key, 'as it was']]).get(key) })()",
    ],
    ['Storage.prototype.getItem = () => null', "(localStorage.setItem('k', 'as it was'), localStorage.getItem('k'))"],
    ['window.Promise = class {}', "Promise.name === 'Promise' ? 'as it was' : 'replaced'"],
    ["window.atob = () => 'replaced'", "atob('YXMgaXQgd2Fz')"],
    ["Object.prototype.reach = 'all'", "({}).reach ?? 'as it was'"],
  ])('is not replaced by %s', (replacing, used) => {
    run(`try { ${replacing} } catch {}`, 'remote-scan')
    expect(run(used)).toBe('as it was')
    expect(() => run(`'use strict'; ${replacing}`, 'remote-scan')).toThrow()
    expect(run(used)).toBe('as it was')
  })

  it.each([
    ['a list with a push of its own', "const list = []; list.push = () => 'own'; list.push()"],
    ['an object with a text of its own', "const it = {}; it.toString = () => 'own'; `${it}`"],
    ['a WeakMap whose get is a polyfill’s', "const map = new WeakMap(); map.get = () => 'own'; map.get()"],
    [
      'a kind of expressions with an exec of its own, inherited by hand',
      "function Own() {}; Own.prototype = Object.create(RegExp.prototype); Own.prototype.exec = () => 'own'; new Own().exec()",
    ],
    ['a promise with a then of its own', "const it = Promise.resolve(); it.then = () => 'own'; it.then()"],
    ['a function with a bind of its own', "const work = () => 0; work.bind = () => 'own'; work.bind()"],
    [
      'what inherits by hand',
      'function A() {}; A.prototype = Object.create(EventTarget.prototype); A.prototype.constructor = A; new A().constructor === A && "own"',
    ],
  ])('lets there be %s', (_what, code) => {
    expect(run(`'use strict'; (() => { ${code.replace(/([^;]+)$/, ' return $1')} })()`, 'host')).toBe('own')
  })
})

describe('what a part left on the page', () => {
  it('is taken away: its intervals and its handlers of input, and nobody else’s', () => {
    const code =
      "setInterval(() => 0, 1000); addEventListener('keydown', () => 0, true); document.addEventListener('click', () => 0)"
    run(code, 'remote-scan')
    run(code, 'remote-user')
    run(code, 'host')
    run(code)
    expect(leave('remote-scan')).toBe('interval,keydown,click')
    expect(leave('remote-scan')).toBe('')
    expect(leave('remote-user')).toBe('interval,keydown,click')
  })

  it('is not what it took away itself, what goes on behind the page, and what came after it was left', () => {
    run(
      "const f = () => 0; addEventListener('keydown', f, true); removeEventListener('keydown', f, { capture: true }); clearInterval(setInterval(f, 1000)); addEventListener('online', f); addEventListener('beforeunload', f)",
      'remote-scan',
    )
    run("globalThis.undo = dmpGround.leave('remote-scan')")
    run("addEventListener('keydown', () => 0)", 'remote-scan')
    expect(run('undo().join()')).toBe('')
    expect(leave('remote-scan')).toBe('keydown')
  })

  it('no longer hears keys', () => {
    run("globalThis.heard = 0; addEventListener('keydown', () => { heard += 1 })", 'remote-scan')
    const press = () => run("dispatchEvent(new Event('keydown')); heard")
    expect([press(), leave('remote-scan'), press()]).toEqual([1, 'keydown', 1])
  })

  it('names the page while it is shown, and not once it was left', () => {
    run("document.title = 'too early'", 'remote-scan')
    expect(run('document.title')).toBe('the page')
    run("dmpGround.enter('remote-scan')")
    run("document.title = 'scans'", 'remote-scan')
    expect(run('document.title')).toBe('scans')
    leave('remote-scan')
    run("document.title = 'too late'", 'remote-scan')
    expect(run('document.title')).toBe('scans')
    run("document.title = 'users'", 'host')
    expect(run('document.title')).toBe('users')
  })
})

describe('what is stored', () => {
  beforeEach(() => void run("for (const key of ['authData', 'user', 'draft:a', 'own']) localStorage.setItem(key, 'x')"))

  it('of the session and of drafts outlives a part that clears everything', () => {
    run('localStorage.clear()', 'remote-scan')
    expect(run('Object.keys(localStorage).sort().join()')).toBe('authData,draft:a,user')
  })

  it('of the session is the kit’s to change, and no part’s', () => {
    for (const code of ["localStorage.removeItem('authData')", "localStorage.setItem('user', 'me')"])
      expect(() => run(code, 'remote-scan')).toThrow(/is the session’s/)
    run("localStorage.removeItem('own')", 'remote-scan')
    run("localStorage.removeItem('authData')", 'host')
    expect(run('Object.keys(localStorage).sort().join()')).toBe('draft:a,user')
  })
})

it('a style element of the kit gets the nonce of the page, and one that a part makes gets none [P30]', () => {
  const make = "document.createElement('style').nonce"
  expect([run(make, 'host'), run(make)]).toEqual(['n', 'n'])
  expect([run(make, 'remote-scan') ?? '', run("document.createElement('i').nonce", 'host') ?? '']).toEqual(['', ''])
})

it('a window of another site is asked about where a part opens it, by whoever asked first', () => {
  run("globalThis.asked = []; dmpGround.guard((to, part) => { asked.push(part + ' ' + to.host); return false })")
  run('dmpGround.guard(() => true)', 'remote-scan')
  run("open('https://elsewhere.example/?x'); open('/viewer/')", 'remote-scan')
  run(
    "document.createElement('a').click(); Object.assign(document.createElement('a'), { href: 'https://a.example' }).click()",
    'remote-user',
  )
  expect(run('asked.join()')).toBe('remote-scan elsewhere.example,remote-user a.example')
})

describe('the worker that watches parts begin', () => {
  function start(answers: boolean) {
    const sent: { url: string; body: string }[] = []
    const context = vm.createContext({
      Map,
      setTimeout,
      clearTimeout,
      postMessage: (message: object) => answers && context.onmessage({ data: message }),
      fetch: async (url: string, { body }: { body: string }) => sent.push({ url, body }),
    }) as { onmessage: (event: { data: object }) => void }
    vm.runInContext(partWatch, context)
    return { sent, tell: (data: object) => context.onmessage({ data }) }
  }
  const begin = {
    id: 'remote-scan ./App',
    part: 'remote-scan',
    releaseId: '0123456789abcdef',
    report: '/api/Release/report',
  }
  const hang = JSON.stringify({ seen: [{ part: begin.part, releaseId: begin.releaseId, what: 'hang' }] })
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  it('tells of one that was not drawn in time on a page that does not answer, once [P31]', () => {
    const { sent, tell } = start(false)
    tell({ begin })
    jest.advanceTimersByTime(16_999)
    expect(sent).toEqual([])
    jest.advanceTimersByTime(60_000)
    expect(sent).toEqual([{ url: '/api/Release/report', body: hang }])
  })

  it('tells of none on a page that answers: that tells by itself', () => {
    const { sent, tell } = start(true)
    tell({ begin })
    jest.advanceTimersByTime(60_000)
    expect(sent).toEqual([])
  })

  it('tells of none that was drawn in time', () => {
    const { sent, tell } = start(false)
    tell({ begin })
    jest.advanceTimersByTime(14_000)
    tell({ end: begin.id })
    jest.advanceTimersByTime(60_000)
    expect(sent).toEqual([])
  })
})
