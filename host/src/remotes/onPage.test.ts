import { isFrameHidden, isPlaceEmpty, showFrame } from './onPage.ts'

beforeEach(() => {
  document.body.innerHTML = '<div><header></header><main id="content"></main></div>'
})
afterEach(() => {
  jest.restoreAllMocks()
  Reflect.deleteProperty(HTMLElement.prototype, 'checkVisibility')
  document.body.replaceChildren()
})

it('knows a place where nothing stands from one that has something, and from no place at all', () => {
  expect(isPlaceEmpty()).toBe(true)
  document.getElementById('content')!.innerHTML = '<p></p>'
  expect(isPlaceEmpty()).toBe(false)
  document.body.replaceChildren()
  expect(isPlaceEmpty()).toBe(false)
})

it('takes a frame that is hidden on paper for none that a part hid', () => {
  Object.assign(HTMLElement.prototype, { checkVisibility: () => false })
  expect(isFrameHidden()).toBe(true)
  const { matchMedia } = globalThis
  jest
    .spyOn(globalThis, 'matchMedia')
    .mockImplementation((media) => Object.assign(Object.create(matchMedia(media)), { matches: media === 'print' }))
  expect(isFrameHidden()).toBe(false)
})

it('takes the styles of the part away that hid the page, from wherever they came, and no others', () => {
  const sheets = [
    '/releases/remote-scan/1/App.css',
    '/releases/again/remote-scan/1/App.css',
    '/releases/remote-scan-other/1/App.css',
    '/releases/host/1/main.css',
    null,
  ].map((href) => ({ href: href && `https://dmp.example${href}`, disabled: false }))
  jest.spyOn(document, 'styleSheets', 'get').mockReturnValue(sheets as unknown as StyleSheetList)
  const content = document.getElementById('content')!
  Object.assign(content.style, { display: 'none', color: 'red' })
  content.parentElement!.hidden = true
  showFrame('remote-scan')
  expect(sheets.map(({ disabled }) => disabled)).toEqual([true, true, false, false, false])
  expect([content.getAttribute('style'), content.parentElement!.hidden]).toEqual(['color: red;', false])
})
