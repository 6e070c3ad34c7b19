import { chooseAgain } from './steadiness.ts'

const journey = { name: 'desktop › e2e/scan.e2e.ts › shares (a scan) [7.23, P14]', seconds: 5 }

it('a journey is run again by itself, without a second try', () => {
  const options = chooseAgain(journey)
  expect(options).toEqual(expect.arrayContaining(['--project', 'desktop', '--repeat-each', '10']))
  expect(options[options.indexOf('--retries') + 1]).toBe('0')
  // Not even beside another run of itself: two of one person would see each other's work.
  expect(options[options.indexOf('--workers') + 1]).toBe('1')
})

it('a journey that takes long is run less often, twice in any case', () => {
  const runsOf = (seconds: number) => {
    const options = chooseAgain({ ...journey, seconds })
    return options[options.indexOf('--repeat-each') + 1]
  }
  expect([0, 18, 60, 119].map(runsOf)).toEqual(['10', '10', '3', '2'])
})

it('the expression finds this journey with its tags, and none whose title begins alike', () => {
  const options = chooseAgain(journey)
  const expression = new RegExp(options[options.indexOf('--grep') + 1] ?? '', 'u')
  const full = 'desktop scan.e2e.ts scans shares (a scan) [7.23, P14]'
  expect(expression.test(full)).toBe(true)
  expect(expression.test(`${full} @scan @desktop`)).toBe(true)
  expect(expression.test(`${full} on a phone`)).toBe(false)
})
