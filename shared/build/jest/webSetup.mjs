import { configure } from '@testing-library/dom'
import '@testing-library/jest-dom'

// The product's texts say themselves, as in a page, and are English: `@dmp/kit/testing` asks which ones were said.
const said = new Set()
globalThis.DMP_PART = 'page'
globalThis.dmpTexts = { page: (text) => void said.add(text) }
globalThis.dmpSaid = said

// A busy machine is no failure.
jest.setTimeout(120_000)
configure({ asyncUtilTimeout: 5000 })

// `waitFor` polls; concurrent rendering in slices of 5 ms would outlast its timeout on a busy machine.
const reactDom = require.resolve('react-dom', { paths: [require.resolve('@dmp/kit/package.json')] })
jest.requireActual(require.resolve('scheduler', { paths: [reactDom] })).unstable_forceFrameRate(1)

// antd gives every dialog the same id if NODE_ENV is 'test', so two open dialogs would share one name.
process.env.NODE_ENV = 'development'

// jsdom has no layout: media queries are answered as on a wide screen with a light theme.
window.matchMedia ??= (query) => ({
  matches: /min-width/.test(query),
  media: query,
  onchange: null,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
  dispatchEvent: () => false,
})
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.scrollTo = () => {}
// Asked for ten seconds after a file was saved, which a slow machine reaches within a test.
URL.revokeObjectURL ??= () => {}
Element.prototype.scrollIntoView ??= () => {}
// jsdom's getComputedStyle refuses pseudo elements loudly; antd measures scroll bars with it.
const { getComputedStyle } = window
window.getComputedStyle = (element) => getComputedStyle(element)
