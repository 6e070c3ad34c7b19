import { configure } from '@testing-library/dom'
import '@testing-library/jest-dom'

// A busy machine is no failure.
jest.setTimeout(30_000)
configure({ asyncUtilTimeout: 5000 })

// Waiting looks at the page again and again; drawing in slices of 5 ms in between would take a busy machine longer than
// anything waits.
const reactDom = require.resolve('react-dom', { paths: [require.resolve('../../kit/package.json')] })
jest.requireActual(require.resolve('scheduler', { paths: [reactDom] })).unstable_forceFrameRate(1)

// antd gives every dialog the same id where it sees 'test', so that two open ones would share one name.
process.env.NODE_ENV = 'development'

// jsdom has no layout: what asks for it gets the answer of a wide, light screen.
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
Element.prototype.scrollIntoView ??= () => {}
// jsdom's getComputedStyle refuses pseudo elements loudly; antd measures scroll bars with it.
const { getComputedStyle } = window
window.getComputedStyle = (element) => getComputedStyle(element)
