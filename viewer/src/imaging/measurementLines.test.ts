import type * as lines from './measurementLines.ts'

afterEach(() => localStorage.clear())

function linesIn(language: string): typeof lines {
  localStorage.setItem('preference:language', language)
  let found: typeof lines | undefined
  jest.isolateModules(() => {
    found = jest.requireActual<typeof lines>('./measurementLines.ts')
  })
  return found!
}

const of = (stats: object) => ({ cachedStats: { picture: { ...stats } } })

it('numbers are those of the language, with three digits and without groups [7.42]', () => {
  const [english, german] = [linesIn('en'), linesIn('de')]
  const length = of({ length: 59.52, unit: 'mm' })
  expect(english.lengthLines(length, 'picture')).toEqual(['59.5 mm'])
  expect(german.lengthLines(length, 'picture')).toEqual(['59,5 mm'])
  expect(german.lengthLines(of({ length: 0 }), 'picture')).toEqual(['0'])
  expect(german.angleLines(of({ angle: 7.254 }), 'picture')).toEqual(['7,25 °'])
  expect(english.lengthLines(of({ length: 12, unit: '' }), 'picture')).toEqual(['12.0'])
  // From a ten-thousandth on a number is worth its digits; what is less is as good as nothing.
  expect([0.0001, 0.00009].flatMap((angle) => english.angleLines(of({ angle }), 'picture'))).toEqual([
    '0.000100 °',
    '0 °',
  ])
  expect(german.areaLines(of({ area: 12_345.6, areaUnit: 'px²' }), 'picture')[0]).toMatch(/12346 px²$/)
})

it('an area has a line for each number that the picture gives [7.42]', () => {
  const { areaLines } = linesIn('en')
  const grey = { area: 41.25, areaUnit: 'mm²', mean: -12.5, max: 240, min: -0.0525, stdDev: 3, modalityUnit: 'HU' }
  expect(areaLines(of(grey), 'picture')).toEqual([
    'Area: 41.3 mm²',
    'Mean: -12.5 HU',
    'Max: 240 HU',
    'Min: -0.0525 HU',
    'Std Dev: 3.00 HU',
  ])
  // Colours have no one brightness.
  expect(areaLines(of({ area: 1, areaUnit: 'mm²', mean: [1, 2, 3] }), 'picture')).toEqual(['Area: 1.00 mm²'])
  expect(areaLines(of({ area: 1, isEmptyArea: true }), 'picture')).toEqual(['Area: not in an oblique slice'])
})

it('what is known on the detector alone is marked, and what has no size there is not [7.42]', () => {
  const { areaLines, lengthLines } = linesIn('en')
  expect(lengthLines(of({ length: 59.52, unit: 'mm' }), 'picture', true)).toEqual(['59.5 mm at detector'])
  expect(areaLines(of({ area: 41.25, areaUnit: 'mm²', mean: 12 }), 'picture', true)).toEqual([
    'Area: 41.3 mm² at detector',
    'Mean: 12.0',
  ])
})

it('what is not measured yet says nothing [7.42]', () => {
  const { areaLines, lengthLines, angleLines } = linesIn('en')
  for (const say of [areaLines, lengthLines, angleLines]) {
    expect(say({}, 'picture')).toEqual([])
    expect(say(of({ length: Number.NaN, angle: undefined, area: null }), 'picture')).toEqual([])
  }
})
