import { ctPresets, listPresets, windowText } from './presets.ts'

describe('window presets', () => {
  it('are offered for CT only, each with its own key [7.42]', () => {
    expect(listPresets('CT')).toBe(ctPresets)
    expect(listPresets('MR')).toEqual([])
    expect(new Set(ctPresets.map(({ key }) => key)).size).toBe(ctPresets.length)
  })

  it('have the values that radiologists know [7.42]', () => {
    expect(ctPresets.map(({ label, width, center }) => [label, width, center])).toEqual([
      ['Soft tissue', 400, 40],
      ['Lung', 1500, -600],
      ['Bone', 2500, 480],
      ['Brain', 80, 40],
      ['Liver', 150, 90],
    ])
  })

  it('are written short, with decimals for small ranges [7.42]', () => {
    expect(windowText({ width: 400.4, center: 39.6 })).toBe('W 400 · L 40')
    expect(windowText({ width: 1.5, center: 0.25 })).toBe('W 1.50 · L 0.25')
    expect(windowText({ width: 10, center: 5 })).toBe('W 10 · L 5')
  })
})
