import { forgiveHang, hasHung, noteBeginning, noteEnd, takeUnfinished } from './beginnings.ts'

const [one, two] = ['1'.repeat(16), '2'.repeat(16)]

beforeEach(() => {
  sessionStorage.clear()
  takeUnfinished()
})

describe('a part that began and never ended', () => {
  it('is told by the next page of the tab, once, and is known to have hung until somebody asks for it', () => {
    noteBeginning('remote-scan', './App', one)
    expect(takeUnfinished()).toEqual([['remote-scan', one]])
    expect([hasHung('remote-scan', one), hasHung('remote-scan', two), hasHung('remote-user', one)]).toEqual([
      true,
      false,
      false,
    ])
    forgiveHang('remote-scan')
    expect(hasHung('remote-scan', one)).toBe(false)
    expect(takeUnfinished()).toEqual([])
  })

  it('is none where the part was drawn, failed or was left', () => {
    noteBeginning('remote-scan', './App', one)
    noteBeginning('remote-user', './App', two)
    noteEnd('remote-scan', './App')
    expect(takeUnfinished()).toEqual([['remote-user', two]])
  })

  it('is its screens or its cards: one that ends says nothing of the other', () => {
    noteBeginning('remote-scan', './cards', one)
    noteBeginning('remote-scan', './App', one)
    noteEnd('remote-scan', './cards')
    expect(takeUnfinished()).toEqual([['remote-scan', one]])
  })

  it('is none where the page could still act when it was left', () => {
    noteBeginning('remote-scan', './App', one)
    window.dispatchEvent(new Event('pagehide'))
    expect(takeUnfinished()).toEqual([])
  })

  it.each(['{', 'null', '[1]', '{"remote-scan ./App":"not a release"}', '{"<b> ./App":"1111111111111111"}'])(
    'is none where the tab holds %s',
    (text) => {
      sessionStorage.setItem('dmp.beginnings', text)
      expect(takeUnfinished()).toEqual([])
    },
  )

  it('is not noticed where storage is switched off, and nothing breaks', () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => noteBeginning('remote-scan', './App', one)).not.toThrow()
    jest.restoreAllMocks()
    expect(takeUnfinished()).toEqual([])
  })
})
